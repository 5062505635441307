// How the page asks its engine: here by HTTP, the server that it came from. A page without
// a server has another file of this name, which asks a worker (../site).

// The answer to a request, as `fetch` gives it.
export function ask(path, { json, form, signal } = {}) {
  const options = { signal };
  if (json !== undefined || form) options.method = "POST";
  if (json !== undefined) {
    options.headers = { "content-type": "application/json" };
    options.body = JSON.stringify(json);
  } else if (form) {
    options.body = new FormData();
    for (const [name, value] of Object.entries(form)) options.body.append(name, value);
  }
  return fetch(path, options);
}

// Where the page finds a file that an answer names, and the words of such a one.
export const address = (place) => place;
export const text = async (place) => (await fetch(place)).text();

// Whether there is a program that can do more than a browser: take recordings apart.
export const hasServer = true;
