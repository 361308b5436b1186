import { tOf } from '../i18n/t.ts';
import type { Link } from '../live/live-state.ts';

/** How the page stands to the server. */
export const LinkPill = ({ link }: { readonly link: Link }) => (
  <span class={`pill link-${link}`} role="status" data-link={link}>
    {tOf('link', link)}
  </span>
);
