/** What is wrong in a CSV text, in the words of Go's encoding/csv. Whoever reads the text wraps it. */
export class CSVError extends Error {
  override readonly name = 'CSVError';
}

/**
 * All records of a CSV text by the rules of Go's encoding/csv (comma, no lazy quotes, no comments, empty lines skipped,
 * any number of fields), so that a token file means the same to both servers.
 * @throws CSVError with line and byte column, both from 1
 */
export function parseCSV(text: string): string[][] {
  const lines = text
    .split('\n')
    .map((line, index, all) => (index < all.length - 1 ? line.replace(/\r$/, '') + '\n' : line));
  if (lines.at(-1) === '') lines.pop();
  const records: string[][] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at] === '\n') {
      at++;
      continue;
    }
    const { fields, next } = readRecord(lines, at);
    records.push(fields);
    at = next;
  }
  return records;
}

function readRecord(lines: readonly string[], start: number): { fields: string[]; next: number } {
  const fields: string[] = [];
  let at = start;
  let line = lines[at]!;
  let position = 0;
  for (;;) {
    if (line[position] !== '"') {
      const comma = line.indexOf(',', position);
      const field = (comma === -1 ? line.slice(position) : line.slice(position, comma)).replace(/\n$/, '');
      const quote = field.indexOf('"');
      if (quote !== -1) throw failure({ start, at, line, position: position + quote }, 'bare " in non-quoted field');
      fields.push(field);
      if (comma === -1) return { fields, next: at + 1 };
      position = comma + 1;
      continue;
    }
    let field = '';
    position++;
    for (;;) {
      const quote = line.indexOf('"', position);
      if (quote === -1) {
        field += line.slice(position);
        const next = lines[at + 1];
        if (next === undefined)
          throw failure(
            { start, at, line, position: line.replace(/\n$/, '').length },
            'extraneous or missing " in quoted-field',
          );
        at++;
        line = next;
        position = 0;
        continue;
      }
      field += line.slice(position, quote);
      position = quote + 1;
      const after = line[position];
      if (after === '"') {
        field += '"';
        position++;
        continue;
      }
      fields.push(field);
      if (after === ',') {
        position++;
        break;
      }
      if (after === undefined || after === '\n') return { fields, next: at + 1 };
      throw failure({ start, at, line, position: quote }, 'extraneous or missing " in quoted-field');
    }
  }
}

function failure(where: { start: number; at: number; line: string; position: number }, what: string): CSVError {
  const column = Buffer.byteLength(where.line.slice(0, where.position)) + 1;
  const place = `parse error on line ${where.at + 1}, column ${column}: ${what}`;
  return new CSVError(where.start === where.at ? place : `record on line ${where.start + 1}; ${place}`);
}
