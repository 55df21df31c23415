import { goJSON } from '@kubechain/apimachinery';
import { AgeCell } from '../../../table/age-cell.ts';
import type { PrintedRow } from '../../../table/table-convertor.ts';

/** An age in the bytes of a row: where its text belongs. */
interface AgePlace {
  readonly at: number;
  readonly cell: AgeCell;
}

/**
 * A row of a Table as JSON up to its object, with the comma before it and without the texts of ages:
 * `,{"cells":["a","1/1",""],"object":` with the place in the third cell.
 */
export interface EncodedRow {
  readonly bytes: Buffer;
  /** In the order of their places. */
  readonly ages: readonly AgePlace[];
}

/** Encodes what of a row does not depend on the time. */
export function encodeRow({ cells, conditions = [] }: PrintedRow): EncodedRow {
  const ages: AgePlace[] = [];
  let text = ',{"cells":[';
  let separator = '';
  for (const cell of cells) {
    text += separator;
    separator = ',';
    if (cell instanceof AgeCell) {
      text += goJSON(cell.before).slice(0, -1);
      ages.push({ at: Buffer.byteLength(text), cell });
      text += goJSON(cell.after).slice(1);
    } else text += goJSON(cell);
  }
  text += conditions.length === 0 ? '],"object":' : `],"conditions":${goJSON(conditions)},"object":`;
  return { bytes: Buffer.from(text), ages };
}

/** Ages as the rows of one answer have them: few moments are many objects'. */
export class AgeTexts {
  readonly #nowMs: number;
  readonly #texts = new Map<number, Buffer>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** The age as it stands in JSON, without quotes. */
  of(cell: AgeCell): Buffer {
    let text = this.#texts.get(cell.sinceMs);
    if (text === undefined)
      this.#texts.set(cell.sinceMs, (text = Buffer.from(goJSON(cell.age(this.#nowMs)).slice(1, -1))));
    return text;
  }

  /** Appends a row up to its object, in pieces that are parts of it. The first row of an answer has no comma. */
  append(parts: Uint8Array[], { ages, bytes }: EncodedRow, isFirst: boolean): void {
    let from = isFirst ? 1 : 0;
    for (const { at, cell } of ages) {
      parts.push(bytes.subarray(from, at), this.of(cell));
      from = at;
    }
    parts.push(from === 0 ? bytes : bytes.subarray(from));
  }
}
