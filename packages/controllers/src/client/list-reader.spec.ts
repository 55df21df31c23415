import { expect } from 'chai';
import { ListReader } from './list-reader.ts';

describe('ListReader', () => {
  const read = (text: string, size = text.length) => {
    const items: string[] = [];
    const reader = new ListReader((bytes) => items.push(bytes.toString('utf8')));
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    return { items, envelope: reader.end() };
  };

  it('gives each item by itself, wherever pieces end and keys stand', () => {
    const items = ['{"a":"}],\\"items\\":[{\\\\"}', '{}', '{"items":[{"b":[[],{}]}],"c":"ä"}'];
    for (const text of [
      `{"kind":"List","metadata":{"resourceVersion":"5","items":[1]},"items":[${items.join(', ')}]}`,
      `{"x":["items",{}],"y\\"items":[2], "items" : [ ${items.join('\n,')} ] ,"kind":"List"}`,
    ]) {
      const whole = JSON.parse(text) as object;
      for (let size = 1; size < 40; size++) {
        const { envelope, items: read1 } = read(text, size);
        expect(read1).to.deep.equal(items);
        expect(envelope).to.deep.equal({ ...whole, items: [] });
      }
    }
  });

  it('takes lists without items, and refuses what is none', () => {
    expect(read('{"items":[]}')).to.deep.equal({ items: [], envelope: { items: [] } });
    expect(read('{"items":null,"kind":"List"}')).to.deep.equal({ items: [], envelope: { items: null, kind: 'List' } });
    for (const text of ['<html>', '{"items":[{}', '{"items":[{}]', '{"items":[1]}'])
      expect(() => read(text), text).to.throw(SyntaxError);
  });

  it('refuses a list with items that it has not found, instead of taking it for empty', () => {
    for (const text of [
      `{"items":${' '.repeat(40)}[{"a":1}]}`,
      '{"\\u0069tems":[{"a":1}]}',
      '{"items":{"a":1}}',
      '{"items":"a"}',
    ])
      expect(() => read(text), text).to.throw(SyntaxError, 'the items of a list were not found in it');
  });

  it('reads what is longer together than a string can be', function () {
    this.timeout(60_000);
    let length = 0;
    const reader = new ListReader((bytes) => (length += bytes.length));
    const item = Buffer.from(`{"data":"${'x'.repeat(1_000_000)}"}`);
    reader.push(Buffer.from('{"items":['));
    for (let i = 0; i < 600; i++) {
      if (i > 0) reader.push(Buffer.from(','));
      reader.push(item);
    }
    reader.push(Buffer.from(']}'));
    expect([reader.end(), length]).to.deep.equal([{ items: [] }, 600 * item.length]);
  });
});
