import { expect } from 'chai';
import type { Client } from '../client/client.ts';
import { PublishedTypes } from './published-schemas.ts';

describe('PublishedTypes', () => {
  let asked: string[];
  let hash: string;
  let fails: boolean;
  let whole: boolean;
  let types: PublishedTypes;
  const gvk = (kind: string): { readonly group: string; readonly version: string; readonly kind: string } => ({
    group: 'apps',
    version: 'v1',
    kind,
  });

  beforeEach(() => {
    [asked, hash, fails, whole] = [[], '?hash=1', false, true];
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `k${i}`,
        { type: 'object', 'x-kubernetes-group-version-kind': [gvk(`K${i}`)] },
      ]),
    );
    const json = ({ path }: { readonly path: string }): Promise<unknown> => {
      asked.push(path);
      if (path === '/openapi/v3')
        return Promise.resolve({
          paths: {
            ...(whole ? { 'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' } } : {}),
            'apis/apps/v1': { serverRelativeURL: `/openapi/v3/apis/apps/v1${hash}` },
          },
        });
      return fails ? Promise.reject(new TypeError('gone')) : Promise.resolve({ components: { schemas } });
    };
    types = new PublishedTypes({ json } as unknown as Pick<Client, 'json'>);
  });
  const documents = (): number => asked.filter((path) => path !== '/openapi/v3').length;

  it('reads a document once for each kind, and the list of documents once for all', async () => {
    await Promise.all([types.of([gvk('K0'), gvk('K1')]), types.of([gvk('K0')])]);
    const [first, none] = await types.of([gvk('K1'), gvk('Other')]);
    expect([first?.name, none]).to.deep.equal(['K12', undefined]);
    expect([asked.length, documents()]).to.deep.equal([6, 3]);
  });
  it('reads it again once it has changed, or where its place does not tell', async () => {
    await types.of([gvk('K0')]);
    hash = '?hash=2';
    await types.of([gvk('K0')]);
    expect(documents()).to.equal(2);
    hash = '';
    await types.of([gvk('K0')]);
    await types.of([gvk('K0')]);
    expect(documents()).to.equal(4);
  });
  it('reads it again after a failure', async () => {
    fails = true;
    const failed = await types.of([gvk('K0')]).catch(String);
    fails = false;
    expect([failed, (await types.of([gvk('K0')])).length]).to.deep.equal(['TypeError: gone', 1]);
  });
  it('says nothing of a list of documents from which those of a server that did not answer are missing', async () => {
    whole = false;
    expect(await types.of([gvk('K0')]).catch(String)).to.equal('TypeError: the list of OpenAPI documents is not whole');
  });
  it('says nothing while an awaited kind is in no document', async () => {
    const another = { group: 'new', version: 'v1', kind: 'K0' };
    const known = gvk('K0');
    const missing = gvk('New');
    expect((await types.of([another, missing], [])).length).to.equal(2);
    const text = (kind: string): string => `TypeError: no OpenAPI document tells of ${kind}, which is served`;
    expect(await types.of([known, another], [known, another]).catch(String)).to.equal(text('new/v1, Kind=K0'));
    expect(await types.of([missing], [missing]).catch(String)).to.equal(text('apps/v1, Kind=New'));
    expect((await types.of([known, another], [known])).length).to.equal(2);
  });
  it('keeps those that were asked for last', async () => {
    const kinds = Array.from({ length: 32 }, (_, i) => gvk(`K${i}`));
    await types.of(kinds);
    await types.of([gvk('K0'), gvk('K32')]);
    const before = documents();
    await types.of([gvk('K0'), gvk('K31')]);
    expect(documents()).to.equal(before);
    await types.of([gvk('K1')]);
    expect(documents()).to.equal(before + 1);
  });
  it('asks nothing for no kinds', async () => {
    expect(await types.of([])).to.deep.equal([]);
    expect(asked).to.deep.equal([]);
  });
});
