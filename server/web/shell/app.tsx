import { useEffect, useRef, useState } from 'preact/hooks';
import { onToken, token } from '../api/session.ts';
import { t } from '../i18n/t.ts';
import { Area } from './area.tsx';
import { LockedPage } from './locked-page.tsx';
import { linkTo } from './route.ts';
import { usePlace, viewOf } from './use-place.ts';

/** The whole page: bar, and what the address names; without a token, the way to one. */
export function App() {
  const [open, setOpen] = useState(token() !== undefined);
  useEffect(() => onToken(() => setOpen(token() !== undefined)), []);
  const place = usePlace();
  const [area = ''] = place.parts;
  const main = useRef<HTMLElement>(null);
  const view = viewOf(place);
  // What had the focus may have gone with the view that it was in.
  const left = useRef(view);
  useEffect(() => {
    if (left.current !== view && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    left.current = view;
  }, [view]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t('nav.skip')}
      </button>
      <header class="bar">
        <a class="brand" href="#/">
          <img src="/icon.svg" alt="" width="18" height="18" />
          DevLoop
        </a>
        <nav class="bar-nav" aria-label={t('nav.label')}>
          <NavLink to="" here={area !== 'w'} text={t('nav.projects')} />
          <NavLink to="w" here={area === 'w'} text={t('nav.workspaces')} />
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {open ? <Area place={place} /> : <LockedPage />}
      </main>
    </>
  );
}

const NavLink = ({ to, here, text }: { readonly to: string; readonly here: boolean; readonly text: string }) => (
  <a href={linkTo(to === '' ? [] : [to])} aria-current={here ? 'page' : undefined}>
    {text}
  </a>
);
