import { useEffect, useState } from 'preact/hooks';
import { type Place, parsePlace } from './route.ts';

/** Where the page is, followed as the address changes. A new place begins at its top; the way back leads to where one was, as the browser has it. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => parsePlace(location.hash));
  useEffect(() => {
    let reached = indexOfPlace();
    let shown = viewOf(parsePlace(location.hash));
    const follow = () => {
      const next = parsePlace(location.hash);
      const forward = indexOfPlace() > reached;
      if (forward && viewOf(next) !== shown) scrollTo(0, 0);
      reached = indexOfPlace();
      shown = viewOf(next);
      setPlace(next);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

/** Area, thing and view: what is beyond them is a detail of the same view. */
export const viewOf = ({ parts }: Place): string => parts.slice(0, 3).join('/');

/** How far the tab's history has come; the same for every place where a browser does not tell. */
const indexOfPlace = (): number => ('navigation' in globalThis ? (navigation.currentEntry?.index ?? 0) : 0);
