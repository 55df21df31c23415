import { expect } from 'chai';
import type { JSONObject } from '../object/json-object.ts';
import { jsonPatchedText, mergePatchedText } from './patched-text.ts';

describe('the text of a patched document', () => {
  const document: JSONObject = {
    kind: 'K',
    metadata: { name: 'n', labels: { z: '1', a: '2' }, annotations: { y: '<' } },
    spec: { b: [{ q: 1, p: 2 }], a: { d: 1, c: { f: 1, e: 2 } } },
  };

  it('has what a JSON patch opened in order, and the rest as it was', () => {
    expect(jsonPatchedText(document, [{ op: 'replace', path: '/kind', value: { z: 1, a: 2 } }])).to.equal(
      '{"kind":{"z":1,"a":2},"metadata":{"name":"n","labels":{"z":"1","a":"2"},"annotations":{"y":"\\u003c"}},' +
        '"spec":{"b":[{"q":1,"p":2}],"a":{"d":1,"c":{"f":1,"e":2}}}}',
    );
    expect(
      jsonPatchedText(document, [
        { op: 'remove', path: '/metadata/labels/a' },
        { op: 'add', path: '/spec/b/0/o', value: 3 },
      ]),
    ).to.equal(
      '{"kind":"K","metadata":{"annotations":{"y":"\\u003c"},"labels":{"z":"1"},"name":"n"},' +
        '"spec":{"a":{"d":1,"c":{"f":1,"e":2}},"b":[{"o":3,"p":2,"q":1}]}}',
    );
  });

  it('has what a test compared in order, to its depth', () => {
    expect(jsonPatchedText(document, [{ op: 'test', path: '/spec/a', value: { c: { e: 2, f: 1 }, d: 1 } }])).to.include(
      '"spec":{"a":{"c":{"e":2,"f":1},"d":1},"b":[{"q":1,"p":2}]}',
    );
  });

  it('has what a merge patch opened in order', () => {
    expect(mergePatchedText(document, { spec: { a: { d: null, g: { j: 1, i: 2 } } } })).to.equal(
      '{"kind":"K","metadata":{"name":"n","labels":{"z":"1","a":"2"},"annotations":{"y":"\\u003c"}},' +
        '"spec":{"a":{"c":{"f":1,"e":2},"g":{"i":2,"j":1}},"b":[{"q":1,"p":2}]}}',
    );
  });

  it('has keys that are numbers in the order of texts', () => {
    expect(
      mergePatchedText({ a: { '1': 1, b: {} } }, { a: { '-': 2, b: { '0': 1, '': [{ '9': 1, '*': 2 }] } } }),
    ).to.equal('{"a":{"-":2,"1":1,"b":{"":[{"*":2,"9":1}],"0":1}}}');
  });

  it('has a list in the place of an object as the merge patch gave it', () => {
    expect(
      mergePatchedText({ spec: { a: {}, b: [] } }, { spec: { a: [{ z: 1, y: 2 }], b: [{ z: 1, y: 2 }] } }),
    ).to.equal('{"spec":{"a":[{"z":1,"y":2}],"b":[{"y":2,"z":1}]}}');
  });
});
