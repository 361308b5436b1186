import { useState } from 'preact/hooks';
import type { PictureSide } from '../api/types.ts';
import { workspaceApi } from '../api/workspace-api.ts';
import { t } from '../i18n/t.ts';
import { pathLine } from '../paths/file-path.ts';
import { LoadingNote, ProblemNote } from '../shell/notes.tsx';
import { useLoad } from '../shell/use-load.ts';
import { Canvas } from './canvas.tsx';
import { type Layer, layersOf, WAYS, type Way } from './layers.ts';
import type { ShownPicture } from './shown-pictures.ts';

export interface PictureDifferenceProps extends ShownPicture {
  readonly ws: string;
  readonly point: string;
  readonly against: string;
}

/** A picture before and after: beside each other, one wiped over the other, one through the other, or what differs. */
export function PictureDifference({ file, page = 1, ...ends }: PictureDifferenceProps) {
  const [way, setWay] = useState<Way>('beside');
  const [share, setShare] = useState(50);
  const name = page === 1 ? pathLine(file) : `${pathLine(file)}, ${page}`;
  return (
    <fieldset class="picture" data-path={file.path}>
      <legend class="mono break">{name}</legend>
      <div class="picture-ways">
        {WAYS.map((one) => (
          <label key={one} class="tick">
            <input
              type="radio"
              name={`way-${page}-${file.path}`}
              value={one}
              checked={one === way}
              onChange={() => setWay(one)}
            />
            {t(`picture.${one}`)}
          </label>
        ))}
        {(way === 'swipe' || way === 'onion') && (
          <input
            type="range"
            min="0"
            max="100"
            value={share}
            aria-label={t('picture.share')}
            onInput={({ currentTarget: { valueAsNumber } }) => setShare(valueAsNumber)}
          />
        )}
      </div>
      <Pictures {...ends} file={file} page={page} sides={way === 'difference' ? ['difference'] : ['before', 'after']}>
        {(pictures) =>
          layersOf(way, share / 100).map((layers) => (
            <Canvas key={layers[0]?.side} layers={layers} pictures={pictures} label={labelOf(layers, name)} />
          ))
        }
      </Pictures>
    </fieldset>
  );
}

const labelOf = (layers: readonly Layer[], name: string): string =>
  `${name}: ${layers.map(({ side }) => t(`picture.side_${side}`)).join(', ')}`;

interface PicturesProps extends PictureDifferenceProps {
  readonly sides: readonly PictureSide[];
  readonly children: (pictures: ReadonlyMap<PictureSide, ImageBitmap>) => preact.ComponentChildren;
}

function Pictures({ ws, point, against, file, page, sides, children }: PicturesProps) {
  const named = file.path_b64 === undefined ? { path: file.path, page } : { path_b64: file.path_b64, page };
  const load = async () => {
    const drawn = sides.map(async (show) => [show, await workspaceApi.picture(ws, point, { against, show, ...named })]);
    return new Map((await Promise.all(drawn)) as [PictureSide, ImageBitmap][]);
  };
  const { value, problem } = useLoad(load, [ws, point, against, file.path, page, ...sides].join('\0'));
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  return value === undefined ? <LoadingNote /> : <div class="picture-sides">{children(value)}</div>;
}
