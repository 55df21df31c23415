import { expect } from 'chai';
import type { DocumentV2 } from './document-v2.ts';
import { mergeV2 } from './merge-v2.ts';

const uses = (definition: string): Record<string, unknown> => ({
  get: { responses: { 200: { schema: { $ref: `#/definitions/${definition}` } } } },
});
const document = (
  paths: DocumentV2['paths'],
  definitions: NonNullable<DocumentV2['definitions']>,
  title = 'T',
): DocumentV2 => ({ swagger: '2.0', info: { title, version: 'v1' }, paths, definitions });

describe('mergeV2', () => {
  it("keeps the first one's info and paths, and drops definitions of paths that are taken", () => {
    const merged = mergeV2([
      document({ '/version/': uses('A') }, { A: { type: 'object' } }, 'First'),
      document(
        { '/version/': uses('Stolen'), '/apis/x/': uses('B') },
        { B: { type: 'string' }, Stolen: { type: 'object' }, Unused: { type: 'object' } },
        'Second',
      ),
    ]);
    expect(merged.info.title).to.equal('First');
    expect(merged.paths['/version/']).to.deep.equal(uses('A'));
    expect(Object.keys(merged.definitions ?? {})).to.deep.equal(['A', 'B', 'Unused']);
  });

  it('renames definitions that mean something else, with the references to them', () => {
    const merged = mergeV2([
      document({ '/a': uses('D') }, { D: { type: 'object' } }),
      document({ '/b': uses('D') }, { D: { type: 'string' } }),
      document({ '/c': uses('D') }, { D: { type: 'string' } }),
    ]);
    expect(merged.definitions).to.deep.equal({ D: { type: 'object' }, D_v2: { type: 'string' } });
    expect([merged.paths['/b'], merged.paths['/c']]).to.deep.equal([uses('D_v2'), uses('D_v2')]);
  });

  it('joins the kinds of definitions that are the same otherwise', () => {
    const kind = (group: string): object => ({ group, kind: 'O', version: 'v1' });
    const merged = mergeV2([
      document({ '/a': uses('O') }, { O: { type: 'object', 'x-kubernetes-group-version-kind': [kind('a')] } }),
      document(
        { '/b': uses('O') },
        { O: { type: 'object', 'x-kubernetes-group-version-kind': [kind('a'), kind('b')] } },
      ),
    ]);
    expect(merged.definitions?.['O']?.['x-kubernetes-group-version-kind']).to.deep.equal([kind('a'), kind('b')]);
  });
});
