// Ticks for a page that may lie behind the game: browsers slow the clocks of pages that
// nobody sees, but not those of workers.

let clock = 0;
self.onmessage = ({ data: milliseconds }) => {
  clearInterval(clock);
  if (milliseconds) clock = setInterval(() => self.postMessage(null), milliseconds);
};
