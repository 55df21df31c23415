import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import { DecodeError } from '../decode-error.ts';
import { encodeJSON } from '../json/encode.ts';
import { isSafeKey } from '../testdata/arbitrary-object.ts';
import { emitYAML as emitBytes, emitYAMLInTurns } from './emit.ts';
import { compareKeys } from './sort-keys.ts';
import { plainJSON } from './plain-json.ts';
import { decodeYAML, encodeYAML, readYAML, strictWarnings } from './yaml.ts';

const testdata = new URL('../testdata/', import.meta.url);
const scheme = builtinScheme();
const configMap = scheme.kind({ group: '', version: 'v1', kind: 'ConfigMap' });
const read = async (text: string): Promise<unknown> => (await readYAML(Buffer.from(text))).value;

const jsonSafe = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const emitYAML = (value: unknown): string => emitBytes(value).toString();

describe('YAML', () => {
  for (const file of readdirSync(testdata).filter((name) => name.endsWith('.yaml'))) {
    it(`reads and writes ${file} as upstream`, async () => {
      const bytes = readFileSync(new URL(file, testdata));
      const { object, kind } = await decodeYAML(bytes, undefined, { strict: 'Strict', scheme });
      expect((await encodeYAML(object, kind?.schema)).toString()).to.equal(bytes.toString());
    });
  }

  it('is written alike in turns, however short they are', async () => {
    const data = fc.object({ maxDepth: 5, maxKeys: 6, values: [fc.string(), fc.integer(), fc.constant(null)] });
    const check = fc.asyncProperty(data, fc.integer({ min: 1, max: 7 }), async (value, parts) => {
      let pauses = 0;
      const pause = (): undefined => void pauses++;
      expect((await emitYAMLInTurns(value, pause, parts)).toString()).to.equal(emitYAML(value));
    });
    await fc.assert(check, { numRuns: 300 });
  });

  it('is written with pauses where there is much of it', async () => {
    let pauses = 0;
    const value = { data: Array.from({ length: 10_000 }, () => ({})) };
    const bytes = await emitYAMLInTurns(value, () => void pauses++);
    expect(pauses).to.equal(5);
    expect(bytes.equals(emitBytes(value))).to.equal(true);
  });

  describe('values of plain scalars', () => {
    const rows: [text: string, value: unknown][] = [
      ['yes', true],
      ['Off', false],
      ['y', true],
      ['n', false],
      ['~', null],
      ['', null],
      ['Null', null],
      ['nULL', 'nULL'],
      ['12', 12],
      ['-7', -7],
      ['+7', 7],
      ['1_000', 1000],
      ['0x1F', 31],
      ['017', 15],
      ['0o17', 15],
      ['0b101', 5],
      ['08', 8],
      ['1.5e3', 1500],
      ['.5', 0.5],
      ['1.', 1],
      ['9007199254740993', 9007199254740993n],
      ['1:30', '1:30'],
      ['2001-01-01', '2001-01-01'],
      ['1.2.3', '1.2.3'],
      ['0x', '0x'],
      ['"12"', '12'],
      ["'yes'", 'yes'],
      ['!!str 12', '12'],
      ['!!binary aGk=', 'hi'],
    ];
    for (const [text, value] of rows)
      it(JSON.stringify(text), async () => {
        expect(await read(`v: ${text}`)).to.deep.equal({ v: value });
      });
  });

  describe('documents', () => {
    const rows: [name: string, text: string, value: unknown][] = [
      ['nothing', '', null],
      ['only a comment', '# a\n', null],
      ['the first of two', 'a: 1\n---\na: 2\n', { a: 1 }],
      ['JSON', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
      ['aliases', 'a: &x {b: 1}\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
      ['a merge key', 'base: &x {a: 1, b: 2}\nd:\n  <<: *x\n  b: 3\n', { base: { a: 1, b: 2 }, d: { a: 1, b: 3 } }],
      [
        'merge of a list',
        '- &x {a: 1}\n- &y {a: 2, b: 2}\n- <<: [*x, *y]\n',
        [{ a: 1 }, { a: 2, b: 2 }, { a: 1, b: 2 }],
      ],
      ['keys that are no text', '1: a\ntrue: b\nn: c\n1.5: d\n', { 1: 'a', true: 'b', false: 'c', 1.5: 'd' }],
      ['the last of duplicate keys', 'a: 1\na: 2\n', { a: 2 }],
    ];
    for (const [name, text, value] of rows)
      it(name, async () => {
        expect(await read(text)).to.deep.equal(value);
      });
  });

  describe('errors', () => {
    const rows: [text: string, message: string][] = [
      ['a:\n  b: 1\n\tc: 2\n', 'yaml: line 3: found a tab character that violates indentation'],
      ['a: 1\nb:\n  c: 1\n d: {}\n', 'yaml: line 3: did not find expected key'],
      ['a: 1\nb: "open\n', 'yaml: line 3: found unexpected end of stream'],
      ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
      ['a: &x [*x]\n', "yaml: anchor 'x' value contains itself"],
      ['a: .inf\n', 'json: unsupported value: +Inf'],
    ];
    for (const [text, message] of rows) {
      it(JSON.stringify(text), async () => {
        const error = await readYAML(Buffer.from(text)).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error).to.be.instanceOf(DecodeError);
        expect(error).to.include({ code: 'Unreadable', message });
      });
    }

    // Each of these has been put to yaml.v2.
    const flawed: [text: string, message: string][] = [
      ['a: [1, 2\nb: }', "yaml: line 1: did not find expected ',' or ']'"],
      ['{"a": ', 'yaml: line 1: did not find expected node content'],
      ['[1', "yaml: line 1: did not find expected ',' or ']'"],
      ['[1,', 'yaml: line 1: did not find expected node content'],
      ['{', 'yaml: line 1: did not find expected node content'],
      ['{a', "yaml: line 1: did not find expected ',' or '}'"],
      ['x: 1\ny: [1 2\nz', "yaml: line 3: did not find expected ',' or ']'"],
      ['{a: 1]', "yaml: did not find expected ',' or '}'"],
      ['[a}', "yaml: did not find expected ',' or ']'"],
      ['a: ]', 'yaml: did not find expected node content'],
      ['{a: 1 b: 2}', "yaml: did not find expected ',' or '}'"],
      ['["a" "b"]', "yaml: did not find expected ',' or ']'"],
      ['a: [b\n', "yaml: line 1: did not find expected ',' or ']'"],
      ['a:\n  - b\n c: d', 'yaml: line 2: did not find expected key'],
      ['a: b: c', 'yaml: mapping values are not allowed in this context'],
      ['a:\n\tb: 1', 'yaml: line 2: found character that cannot start any token'],
      ['a: "b', 'yaml: found unexpected end of stream'],
      ['@a', 'yaml: found character that cannot start any token'],
      ['{a: [b}', "yaml: did not find expected ',' or ']'"],
      ['\n\n[1', "yaml: line 3: did not find expected ',' or ']'"],
      ['\n\n{a: b\nc: d\n}', "yaml: line 3: did not find expected ',' or '}'"],
      ['a: "\\q"', 'yaml: found unknown escape character'],
      ['--- [', 'yaml: line 1: did not find expected node content'],
      ['{]', 'yaml: did not find expected node content'],
      ['[,]', 'yaml: did not find expected node content'],
      ['{,}', 'yaml: did not find expected node content'],
      ['a:\n- b\n- c: [\n  d\n', "yaml: line 4: did not find expected ',' or ']'"],
      ['a: [b] c', 'yaml: did not find expected key'],
      ["{a: 'b", 'yaml: found unexpected end of stream'],
      ["[a, 'b\n", 'yaml: line 2: found unexpected end of stream'],
      ['- [a]]', "yaml: did not find expected '-' indicator"],
      [
        '~: {a: [1, null]}',
        'unsupported map key of type: %!s(<nil>), key: <nil>, value: map[interface {}]interface ' +
          '{}{"a":[]interface {}{1, interface {}(nil)}}',
      ],
      ['a:\n  null: 1', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: 1'],
    ];
    for (const [text, message] of flawed) {
      it(`says of ${JSON.stringify(text)}: ${message}`, async () => {
        expect(
          await readYAML(Buffer.from(text)).then(
            () => undefined,
            (reason: unknown) => reason,
          ),
        ).to.have.property('message', message);
      });
    }

    it('reads JSON as the YAML parser does, only faster', async () => {
      const bodies = [
        '{"b":{"z":1,"a":[true,null,"x"]},"a":"\\u00e9\\n"}',
        '{"a":1,"a":2}',
        '{"a":1.50,"b":12345678901234567890}',
        '{"a":"\\ud83d\\ude42"}',
        '{"a":"tab\\there"} ',
        '{\n\t"a": {}\n}',
      ];
      for (const body of bodies) {
        const fast = await readYAML(Buffer.from(body)).catch((error: unknown) => String(error));
        // A comment in front keeps the shortcut away.
        const slow = await readYAML(Buffer.from(`# yaml\n${body}`)).catch((error: unknown) => String(error));
        if (typeof fast === 'string' || typeof slow === 'string')
          expect(
            typeof fast === 'string' && typeof slow === 'string'
              ? fast.replace(/line \d+: /, '') === slow.replace(/line \d+: /, '')
              : false,
            body,
          ).to.equal(true);
        else
          expect(JSON.parse(JSON.stringify(fast.value, jsonSafe)), body).to.deep.equal(
            JSON.parse(JSON.stringify(slow.value, jsonSafe)),
          );
      }
      expect(plainJSON(Buffer.from('{"b":1,"a":2}'))).to.deep.equal({ a: 2, b: 1 });
      for (const body of ['{"a":1,"a":2}', '{"a":1.5}', '[1]', '{"a":"\\ud83d"}', '{"__proto__":1}', '{"a":"\\/"}'])
        expect(plainJSON(Buffer.from(body)), body).to.equal(undefined);
    });

    it('takes flow collections as loosely as yaml.v2', async () => {
      const values: [text: string, value: unknown][] = [
        ['a: [1,\n2]', { a: [1, 2] }],
        ['a: {b: "x\n y",\nc: 2\n}', { a: { b: 'x y', c: 2 } }],
        ['{a: b}}', { a: 'b' }],
        ['{"a":1} x', { a: 1 }],
        ['[a]\nb', ['a']],
        ['{a: 1}\nb: 2', { a: 1 }],
      ];
      for (const [text, value] of values) expect((await readYAML(Buffer.from(text))).value, text).to.deep.equal(value);
    });

    it('refuses documents that nest too deeply (yamlDepth)', async () => {
      const error = await readYAML(Buffer.from('['.repeat(2_501))).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(DecodeError);
    });

    it('refuses documents that explode through aliases (yamlAliases)', async () => {
      const levels = Array.from(
        { length: 9 },
        (_, i) => `l${i + 1}: &l${i + 1} [${Array.from({ length: 9 }, () => `*l${i}`).join(',')}]`,
      );
      const error = await readYAML(Buffer.from(`l0: &l0 [x,x]\n${levels.join('\n')}\n`)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.have.property('message', 'yaml: document contains excessive aliasing');
    });
  });

  it('lists duplicate keys before unknown fields', async () => {
    const { strictErrors } = await decodeYAML(
      Buffer.from(
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  name: b\nunknown: 1\ndata:\n  x: "1"\n  x: "2"\n',
      ),
      configMap,
      { strict: 'Warn' },
    );
    expect(strictErrors).to.deep.equal([
      'yaml: unmarshal errors:\n  line 5: key "name" already set in map\n  line 9: key "x" already set in map',
      'unknown field "unknown"',
    ]);
    expect(strictWarnings(strictErrors)).to.deep.equal([
      'line 5: key "name" already set in map',
      'line 9: key "x" already set in map',
      'unknown field "unknown"',
    ]);
  });

  describe('written scalars', () => {
    const rows: [value: unknown, text: string][] = [
      ['plain text', 'plain text'],
      ['', '""'],
      ['true', '"true"'],
      ['y', '"y"'],
      ['1', '"1"'],
      ['0x1f', '"0x1f"'],
      ['2001-01-01', '"2001-01-01"'],
      ['12:30:45', '"12:30:45"'],
      ['~', '"~"'],
      ['a: b', "'a: b'"],
      ['- x', "'- x'"],
      ['*a', "'*a'"],
      ['a #b', "'a #b'"],
      [' a', "' a'"],
      ["it's: x", "'it''s: x'"],
      ['a\tb', '"a\\tb"'],
      ['🙂', '"\\U0001F642"'],
      ['ü', 'ü'],
      ['a:b', 'a:b'],
      ['-x', '-x'],
      ['a\nb\n', '|\n  a\n  b'],
      ['a\nb', '|-\n  a\n  b'],
      ['a\n\n', '|+\n  a\n'],
      [' a\nb', '|2-\n   a\n  b'],
      ['a \nb', '"a \\nb"'],
      [1, '1'],
      [-0.5, '-0.5'],
      [1e21, '1e+21'],
      [1500000.5, '1.5000005e+06'],
      [9007199254740993n, '9007199254740993'],
      [true, 'true'],
      [null, 'null'],
      [[], '[]'],
      [{}, '{}'],
    ];
    for (const [value, text] of rows)
      it(`${String(JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)))}`, () => {
        expect(emitYAML({ v: value })).to.equal(`v: ${text}\n`);
      });

    it('folds long lines at single spaces', () => {
      // The space after column 80 is the first one that breaks the line.
      expect(emitYAML({ long: `${'word '.repeat(30)}end` })).to.equal(
        `long: ${'word '.repeat(16).trim()}\n  ${'word '.repeat(14)}end\n`,
      );
    });

    it('nests without indenting sequences of mappings', () => {
      expect(emitYAML({ a: [{ b: 1, c: [[1, 2], []] }, 'x'], d: { e: [] } })).to.equal(
        'a:\n- b: 1\n  c:\n  - - 1\n    - 2\n  - []\n- x\nd:\n  e: []\n',
      );
    });

    it('marks keys that are too long', () => {
      const key = 'k'.repeat(130);
      expect(emitYAML({ [key]: 'v' })).to.equal(`? ${key}\n: v\n`);
    });
  });

  it('refuses keys that the parser of the JSON between does not take', () => {
    for (const key of ['k'.repeat(1022), 'ü'.repeat(1022), `<${'k'.repeat(1016)}`, '\u{1f600}'.repeat(1022)]) {
      expect(emitYAML([{ [key]: 1 }])).to.include(': 1');
      expect(() => emitYAML([{ [`${key}k`]: 1 }])).to.throw("yaml: did not find expected ',' or '}'");
    }
  });

  it('quotes custom objects without a kind as JSON, but for strict rules', async () => {
    const widget = {
      gvk: { group: 'e.com', version: 'v1', kind: 'Widget' },
      goType: 'unstructured.Unstructured',
      schema: { kind: 'any', mapType: 'granular' },
      unstructured: true,
    } as const;
    const text = 'spec: {b: 1, a: 2}\napiVersion: e.com/v1\n';
    for (const [strict, shown] of [
      ['Ignore', '{"apiVersion":"e.com/v1","spec":{"a":2,"b":1}}'],
      ['Strict', text],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- two of them
      const error: unknown = await decodeYAML(Buffer.from(text), widget, { strict }).catch((thrown: unknown) => thrown);
      expect((error as DecodeError).message).to.equal(`Object 'Kind' is missing in '${shown}'`);
    }
  });

  it('refuses what would be indentation and little else (yamlIndentation)', () => {
    let value: unknown = Array.from({ length: 20_000 }, () => 1);
    for (let i = 0; i < 2_000; i++) value = [value];
    expect(() => emitYAML(value)).to.throw('the object nests too deeply to be written as YAML');
  });

  it('keeps separators of lines', async () => {
    for (const text of ['a\u2028b', '1.5\u2028b: c', "it's\u2029 x"])
      expect((await readYAML(Buffer.from(emitYAML({ a: text })))).value, text).to.deep.equal({ a: text });
  });

  it('orders keys naturally', () => {
    expect(['b', 'a10', 'a2', 'A', 'f:x', '.', 'a', 'a-b', 'a01'].toSorted(compareKeys)).to.deep.equal([
      '.',
      'A',
      'a',
      'a-b',
      'a01',
      'a2',
      'a10',
      'b',
      'f:x',
    ]);
  });

  it('takes runs of digits for integers of 64 bits that overflow, however long they are', () => {
    const overflown = (digits: string): bigint => BigInt.asIntN(64, BigInt(digits));
    for (const digits of ['9'.repeat(20), '123456789'.repeat(8), `1${'0'.repeat(63)}7`, '98'.repeat(200)])
      for (const other of ['5'.repeat(19), '8'.repeat(70), `2${'0'.repeat(90)}3`])
        expect(Math.sign(compareKeys(`a-${digits}`, `a-${other}`)), `${digits} ${other}`).to.equal(
          overflown(digits) < overflown(other) ? -1 : 1,
        );
  });

  it('reads back what it writes', async () => {
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'B',
        '0',
        '1',
        ' ',
        ':',
        '-',
        '#',
        "'",
        '"',
        '\\',
        '\n',
        '\t',
        ',',
        '[',
        '{',
        '*',
        '&',
        '!',
        '|',
        '>',
        '%',
        '@',
        '`',
        '?',
        '~',
        '.',
        'é',
        '🙂',
        '_',
        'e',
        'n',
        'y',
      ),
      maxLength: 20,
    });
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(text.filter(isSafeKey), tie('node'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node;
    await fc.assert(
      fc.asyncProperty(value, async (node) => {
        const object = { root: node };
        expect(encodeJSON((await read(emitYAML(object))) as never).toString()).to.equal(
          encodeJSON(object as never).toString(),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
