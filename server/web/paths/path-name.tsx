import { type FilePath, pathLine } from './file-path.ts';

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A path whose parts stay in their order, whatever way their own letters run. */
export function PathName({ named }: { readonly named: FilePath }) {
  const line = pathLine(named);
  if (!RIGHT_TO_LEFT.test(line)) return <>{line}</>;
  return (
    <>
      {line.split('/').map((part, at) => (
        <span key={at}>
          {at > 0 && '/'}
          <bdi>{part}</bdi>
        </span>
      ))}
    </>
  );
}
