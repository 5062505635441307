// How the extension asks its engine, which is the page's.

import { asking } from "./asking.js";

let heard = () => {};

export const { start, ask } = asking(() => {}, (news) => heard(news));

// Who hears how far the engine is.
export const listen = (hears) => (heard = hears);

// Nothing of it is shown here.
export const address = (place) => place;
export const text = address;
