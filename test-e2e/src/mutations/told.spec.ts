import { expect } from 'chai';
import { told } from './told.ts';

describe('what two servers say', () => {
  const answer = (body: unknown, headers: Readonly<Record<string, string>> = {}): string =>
    told({ status: 422, headers, text: JSON.stringify(body), bytes: Buffer.from(JSON.stringify(body)), body });
  const metadata = (uid: string, resourceVersion: string, name: string): object => ({
    name,
    generateName: 'web-',
    uid,
    resourceVersion,
    creationTimestamp: `2026-11-23T10:00:0${resourceVersion}Z`,
  });

  it('is the same where only identities, times, revisions and chosen names differ', () => {
    const one = { metadata: metadata('0e5e5c6a-6a0c-4b43-9d6c-0f7f3a1a0a01', '1', 'web-abcde'), data: { a: '1' } };
    const other = { data: { a: '1' }, metadata: metadata('1e5e5c6a-6a0c-4b43-9d6c-0f7f3a1a0a02', '2', 'web-fghij') };
    expect(answer(one)).to.equal(answer(other));
    expect(answer(one)).not.to.equal(answer({ ...other, data: { a: '2' } }));
    expect(answer(one)).not.to.equal(answer(one, { warning: '299 - "x"' }));
  });

  it('is the same whatever the order of several mistakes', () => {
    const status = (...fields: readonly string[]): object => ({
      kind: 'Status',
      message: `Pod "x" is invalid: [${fields.join(', ')}]`,
      details: { causes: fields.map((field) => ({ field, message: 'no' })) },
    });
    expect(answer(status('a', 'b'))).to.equal(answer(status('b', 'a')));
    expect(answer(status('a', 'b'))).not.to.equal(answer(status('a', 'c')));
    expect(answer(status('a'))).not.to.equal(answer(status('a', 'b')));
  });

  it('is the same in whatever order controllers have written the conditions of a quoted object', () => {
    const quoting = (...conditions: readonly object[]): string =>
      answer({ kind: 'Status', message: JSON.stringify({ status: { conditions }, spec: [{}] }) });
    const [a, b] = [{ type: 'A', status: 'True' }, { type: 'B' }];
    expect(quoting(a, b)).to.equal(quoting(b, a));
    expect(quoting(a, b)).not.to.equal(quoting(a, { type: 'C' }));
  });

  it('is the same in whatever order controllers have written the conditions of an object, and when', () => {
    const having = (first: number, second: number): string =>
      answer({
        conditions: [
          { lastTransitionTime: `2026-11-23T10:00:0${first}Z`, type: 'A' },
          { lastTransitionTime: `2026-11-23T10:00:0${second}Z`, type: 'B' },
        ],
      });
    expect(having(1, 2)).to.equal(having(2, 1));
  });

  it('is the same whichever unknown field of an applied object is met first', () => {
    const status = (found: string): object => ({
      kind: 'Status',
      message: `failed to create typed patch object (/a; v1, Kind=Node): ${found}`,
    });
    const unknown = status('.spec.a: field not declared in schema');
    expect(answer(unknown)).to.equal(answer(status('.spec.b: field not declared in schema')));
    expect(answer(unknown)).to.equal(
      answer(status('errors:\n  .spec.b: field not declared in schema\n  .spec.c: expected string, got &{true}')),
    );
    expect(answer(unknown)).not.to.equal(answer(status('.spec.c: expected string, got &{true}')));
  });
});
