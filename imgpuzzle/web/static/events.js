// The parts of the page announce to each other what happened, by name.

const listeners = new Map();

export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(listener);
}

export function emit(name, value) {
  for (const listener of listeners.get(name) ?? []) listener(value);
}
