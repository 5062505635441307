// What the visitor chose, kept for the next visit where the browser allows it.

export function kept(name, otherwise = null) {
  try {
    return localStorage.getItem(`imgpuzzle.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`imgpuzzle.${name}`);
    else localStorage.setItem(`imgpuzzle.${name}`, value);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}
