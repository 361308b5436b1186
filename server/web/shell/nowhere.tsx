import { t } from '../i18n/t.ts';
import { EmptyNote } from './notes.tsx';
import { useTitle } from './use-title.ts';

/** What an address leads to that names nothing; the way on is a link. */
export function Nowhere({ href = '#/', text = t('nav.projects') }: { readonly href?: string; readonly text?: string }) {
  useTitle(t('nav.nowhere'));
  return (
    <EmptyNote title={t('nav.nowhere')}>
      <p>
        <a href={href}>{text}</a>
      </p>
    </EmptyNote>
  );
}
