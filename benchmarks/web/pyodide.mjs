// node pyodide.mjs FOLDER SCRIPT WHEEL... : runs a Python script in Pyodide, with the
// wheels unpacked. FOLDER is that of the npm package; /host is the root of this machine.
// The script's answer is what it leaves in `answer`, which is printed; what it is asked
// comes as text on the standard input, as `asked`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, script, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
try {
  const python = await loadPyodide();
  for (const wheel of wheels)
    python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel", {
      extractDir: "/wheels",
    });
  python.mountNodeFS("/host", "/");
  python.runPython("import sys; sys.path.insert(0, '/wheels')");
  python.globals.set("asked", readFileSync(0, "utf8"));
  python.runPython(readFileSync(script, "utf8"), { filename: script });
  console.log(python.globals.get("answer"));
} catch (error) {
  // Not the whole of Pyodide, which is one line that Node would quote.
  console.error(String(error.message ?? error).slice(-4000));
  process.exitCode = 1;
}
