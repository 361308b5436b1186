import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { bytes } from '../shell/format.ts';
import { useLoad } from '../shell/use-load.ts';

const MOST = 60;
const HEIGHT = 48;
const BAR = 8;

/** How large the folder was at each of the last points. */
export function Growth({ ws }: { readonly ws: string }) {
  const { value } = useLoad(() => workspaceApi.points(ws, { limit: MOST }), `${ws} growth`);
  const sizes = value?.items.map(({ id, counts }) => ({ id, size: counts.bytes })).toReversed() ?? [];
  if (sizes.length < 2) return null;
  const most = Math.max(...sizes.map(({ size }) => size), 1);
  const [first, last] = [sizes[0]?.size ?? 0, sizes.at(-1)?.size ?? 0];
  const about = t('protect.growth', { n: sizes.length, from: bytes(first), to: bytes(last) });
  return (
    <figure class="growth">
      <svg width={sizes.length * BAR} height={HEIGHT} role="img" aria-label={about}>
        <title>{about}</title>
        {sizes.map(({ id, size }, at) => {
          const height = Math.max(1, (size / most) * (HEIGHT - 2));
          return <rect key={id} x={at * BAR} y={HEIGHT - height} width={BAR - 2} height={height} />;
        })}
      </svg>
      <figcaption class="quiet">{about}</figcaption>
    </figure>
  );
}
