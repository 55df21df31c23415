import { GoValue } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { ObjectValue } from './messages.ts';
import { configurationOf } from './to-native.ts';
import { fromPlainJSON } from './plain-json.ts';
import { CelOptional, CelTime, CelTypeValue, CelUint, EntryMap, ItemList } from './values.ts';

describe('what an apply configuration says', () => {
  const said = (field: unknown): unknown =>
    (configurationOf(new ObjectValue('Object', new Map([['f', field]]))) as { readonly f: unknown }).f;
  const syntax = (field: unknown): string => {
    const value = said(field);
    return value instanceof GoValue ? `${value.typeName} ${value.text} ${value.syntax}` : `no value of Go's`;
  };

  it('is JSON where fields are texts, numbers, lists, maps and objects', () => {
    expect(said(EntryMap.of([['a', 5n], ['b', 'c']]))).to.deep.equal({ a: 5, b: 'c' }); // prettier-ignore
    expect(said(new ItemList(['a', true, 1.5]))).to.deep.equal(['a', true, 1.5]);
    expect(said(new ItemList([new ObjectValue('Object.f', new Map([['a', 'b']]))]))).to.deep.equal([{ a: 'b' }]);
    expect(said(new CelOptional('x'))).to.equal('x');
    expect(said(new CelTypeValue('int'))).to.equal('int');
  });

  it('is JSON where it is read from an object', () => {
    expect(said(new ItemList([fromPlainJSON({ a: [1, { b: null }] })]))).to.deep.equal([{ a: [1, { b: null }] }]);
  });

  it('is none where a list or map has another one that is written out', () => {
    expect(said(new ItemList([EntryMap.of([['a', 'b']])]))).to.deep.equal([
      new GoValue({ typeName: 'map[ref.Val]ref.Val', text: 'map[a:b]', syntax: 'map[ref.Val]ref.Val{"a":"b"}' }),
    ]);
  });

  it('is none for what no document has', () => {
    expect(syntax(null)).to.equal('structpb.NullValue NULL_VALUE 0');
    expect(syntax(new CelUint(17n))).to.equal('uint64 17 0x11');
    expect(syntax(new Uint8Array([120]))).to.equal('[]uint8 [120] []uint8{0x78}');
    expect(syntax(new CelTime(1_577_836_800_000_000_000n))).to.equal(
      'time.Time 2020-01-01 00:00:00 +0000 UTC time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)',
    );
    expect(() => said(EntryMap.of([[1n, 'x']]))).to.throw('invalid return type: *dynamic.ObjectVal');
  });
});
