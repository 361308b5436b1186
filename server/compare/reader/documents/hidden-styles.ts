import type { XmlElement } from '../package/read-xml.ts';
import type { Block } from './document.ts';

/** The styles of an OpenDocument file by which a sheet or slide is not shown. */
export class HiddenStyles {
  readonly #names = new Set<string>();
  #style = '';

  /** Takes an element as it opens. */
  open({ name, attribute }: XmlElement): void {
    if (name === 'style') this.#style = attribute('name');
    else if (name === 'table-properties' && attribute('display') === 'false') this.#names.add(this.#style);
    else if (name === 'drawing-page-properties' && attribute('visibility') === 'hidden') this.#names.add(this.#style);
  }

  /** What is said of a sheet or slide of this style: that it is hidden, or nothing. */
  blocks(at: 'sheet' | 'slide', style: string): Block[] {
    return this.#names.has(style) ? [{ text: 'is hidden', style: 'state', at }] : [];
  }
}
