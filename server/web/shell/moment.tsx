import { language } from '../i18n/t.ts';
import { formatFor } from './format.ts';

export const format = formatFor(language === 'zh' ? 'zh-CN' : 'en-GB');

/** A moment in the reader's time zone; whole where it is pointed at. */
export const Moment = ({ ts }: { readonly ts: string }) => (
  <time dateTime={ts} title={format.wholeMoment(ts)}>
    {format.moment(ts)}
  </time>
);
