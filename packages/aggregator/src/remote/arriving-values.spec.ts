import { expect } from 'chai';
import { ArrivingValues } from './arriving-values.ts';

describe('values of a document that comes', () => {
  const text = Buffer.from(JSON.stringify({ a: [1, 2, { b: ',,[[{{\\"', c: 'é\\' }], d: '"' }));

  it('are counted, and not what is within texts, however it is cut', () => {
    for (let at = 0; at <= text.length; at++) {
      const values = new ArrivingValues();
      values.add(text.subarray(0, at));
      expect(values.add(text.subarray(at)), String(at)).to.equal(7);
    }
  });

  it('are as many as there are brackets in what is nested', () => {
    expect(new ArrivingValues().add(Buffer.alloc(1_000, '['))).to.equal(1_000);
  });
});
