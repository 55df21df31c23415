import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './documents.ts';

const root = join(import.meta.dirname, '../../..');
const nodesParser = /new URLSearchParams\((?![){]|set\))|\bsearchParams\b/;

/** Where it is made safe, or where the query is that of whoever runs the chain. */
const allowed: readonly string[] = [
  'packages/apimachinery/src/validation/parse-query.ts',
  'packages/apiserver/src/control/control-listener.ts',
  'packages/apiserver/src/server/debug-routes.ts',
  'packages/apiserver/src/webhook/webhook-client.ts',
  'packages/kubechain/src/page/page-server.ts',
];

describe('queries of clients', () => {
  it('are read by parseQuery, which is linear where the parser of Node is not', () => {
    const found = filesBelow(root, 'packages')
      .filter((path) => /^packages\/[^/]+\/src\/.*(?<!spec)\.ts$/.test(path) && !path.includes('/testing/'))
      .filter((path) => nodesParser.test(readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')));
    expect(found.sort()).to.deep.equal(allowed);
  });
});
