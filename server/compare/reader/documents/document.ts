import type { DocumentFormat, SectionDifference } from '../../../domain/comparison.ts';
import { UnreadError } from '../../unread-error.ts';
import { LIMITS } from '../limits.ts';

/** A paragraph, cell or line. */
export interface Block {
  readonly text: string;
  readonly style?: string;
  /** `paragraph 12`, `table 1, B2`, `page 3`. */
  readonly at: string;
}

/** A row of a sheet; cells by column, `A` to `XFD`. */
export interface Row {
  readonly number: number;
  readonly cells: ReadonlyMap<string, string>;
}

export interface Section {
  readonly kind: SectionDifference['kind'];
  readonly name: string;
  /** Files of the package that its text is from; absent where they are named on their own where they differ. */
  readonly parts?: readonly string[];
  /** Of a slide, from 1. */
  readonly number?: number;
  readonly blocks: readonly Block[];
  /** Of a sheet; its blocks are what belongs to no cell. */
  readonly rows?: readonly Row[];
}

/** The text of a document with its structure. */
export interface DocumentText {
  readonly format: DocumentFormat;
  readonly sections: readonly Section[];
  readonly not_compared: readonly string[];
  /** Files of the package by name, and what tells their contents apart. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Counts what is taken from a document. Throws UnreadError `too_many` or `too_large`. */
export class Budget {
  #blocks: number = LIMITS.blocks;
  #characters: number = LIMITS.characters;

  take(text: string): void {
    this.#characters -= text.length;
    if (--this.#blocks < 0) throw new UnreadError('too_many', `has more than ${LIMITS.blocks} paragraphs or cells`);
    if (this.#characters < 0) throw new UnreadError('too_large', `has more than ${LIMITS.characters} characters`);
  }
}
