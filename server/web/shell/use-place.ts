import { useEffect, useState } from 'preact/hooks';
import { type Place, parsePlace } from './route.ts';

/** Where the page is, followed as the address changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(() => parsePlace(location.hash));
  useEffect(() => {
    const follow = () => setPlace(parsePlace(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}
