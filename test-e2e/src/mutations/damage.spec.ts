import { builtinScheme, decodeProtobuf, encodeProtobuf } from '@kubechain/apimachinery';
import { seededRandom } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { damageJSON } from './damage-json.ts';
import { damageProtobuf } from './damage-protobuf.ts';
import type { Schemas } from './schemas.ts';
import { Values } from './values.ts';

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', labels: { a: 'b' }, generation: 3 },
  data: { a: '1' },
  immutable: true,
};
const values = (seed: number): Values => new Values({} as Schemas, seededRandom(seed));
const seeds = Array.from({ length: 300 }, (_, seed) => seed + 1);

/** How many different results there are, and how many of them are read without an error. */
function readable(
  damage: (seed: number) => Uint8Array,
  read: (bytes: Buffer) => unknown,
): { readonly different: number; readonly read: number } {
  const results = new Set(seeds.map((seed) => Buffer.from(damage(seed)).toString('base64')));
  const whole = [...results].filter((base64) => {
    try {
      read(Buffer.from(base64, 'base64'));
      return true;
    } catch {
      return false;
    }
  });
  return { different: results.size, read: whole.length };
}

describe('damaged bodies', () => {
  it('are JSON that hardly any encoder writes, of which some can be read', () => {
    const found = readable(
      (seed) => damageJSON(JSON.stringify(object), values(seed)),
      (bytes) => JSON.parse(bytes.toString()) as unknown,
    );
    expect(found.different).to.be.greaterThan(150);
    expect(found.read)
      .to.be.greaterThan(50)
      .and.lessThan(found.different - 50);
  });

  it('are protobuf that hardly any encoder writes, of which some can be read', () => {
    const kind = builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMap' });
    if (kind === undefined) throw new Error('no ConfigMap');
    const bytes = encodeProtobuf(object, kind.schema);
    const found = readable(
      (seed) => damageProtobuf(bytes, values(seed)),
      (damaged) => decodeProtobuf(damaged, kind, { scheme: builtinScheme() }),
    );
    expect(found.different).to.be.greaterThan(150);
    expect(found.read)
      .to.be.greaterThan(50)
      .and.lessThan(found.different - 50);
  });

  it('are the same with the same seed', () => {
    const text = JSON.stringify(object);
    expect(damageJSON(text, values(7))).to.deep.equal(damageJSON(text, values(7)));
  });
});
