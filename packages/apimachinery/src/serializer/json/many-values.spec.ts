import { expect } from 'chai';
import { limits } from '../../limits/limits.ts';
import { StatusError } from '../../errors/status.ts';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import { encodeProtobuf } from '../protobuf/protobuf.ts';
import { decodeProtobuf } from '../protobuf/protobuf.ts';
import { decodeYAML, readYAML } from '../yaml/yaml.ts';
import { applyJSONPatch, type JSONPatch } from '../../patch/json-patch.ts';
import { decodeJSON } from './decode.ts';
import { refuseManyValues } from './many-values.ts';

const most = limits.bodyValues.value;
const pods = builtinScheme().kind({ group: '', version: 'v1', kind: 'Pod' })!;
const podOf = (containers: number): Record<string, unknown> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  spec: { containers: Array.from({ length: containers }, () => ({})) },
});

/** The refusal's text; '' where there is none. */
async function refusal(read: () => unknown): Promise<string> {
  try {
    await read();
    return '';
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return `${error.status.code} ${error.message}`;
  }
}
const tooMany = `413 Request entity too large: limit is ${most} values`;

describe('bodies of many values (bodyValues)', () => {
  it('are not made by the copies of a patch either', async () => {
    const document = { a: Array(most / 5).fill(1) };
    const copies = (count: number): JSONPatch =>
      Array.from({ length: count }, (_, i) => ({ op: 'copy', from: '/a', path: `/a${i}` }));
    expect(await refusal(() => applyJSONPatch(document, copies(5)))).to.equal('');
    expect(await refusal(() => applyJSONPatch(document, copies(6)))).to.equal(tooMany);
  });

  it('are refused with one more than may be', async () => {
    const list = (count: number, item: string): Buffer => Buffer.from(`{"a":[${Array(count).fill(item).join(', ')}]}`);
    // The list itself is one.
    for (const item of ['1000', '"a,b[{"', '{}', '[ ]', '"\\",\\\\"']) {
      expect(await refusal(() => refuseManyValues(list(most - 1, item))), item).to.equal('');
      expect(await refusal(() => refuseManyValues(list(most, item))), item).to.equal(tooMany);
    }
    const nested = (levels: number): Buffer =>
      Buffer.from(`[${'{"abc":'.repeat(levels)}1${'}'.repeat(levels)},${'"ab",'.repeat(most)}1]`);
    expect(await refusal(() => refuseManyValues(nested(2_000)))).to.equal(tooMany);
  });

  it('are told of by who parses them where they are too deep', async () => {
    const levels = 3 * most;
    const deep = Buffer.from('['.repeat(levels) + ']'.repeat(levels));
    expect(await refusal(() => refuseManyValues(deep))).to.equal('');
  });

  it('are read where they are no body of a client', async () => {
    const bytes = Buffer.from(JSON.stringify(podOf(most)));
    expect(await refusal(() => decodeJSON(bytes, pods, { outside: true }))).to.equal(tooMany);
    expect(await refusal(() => decodeJSON(bytes, pods))).to.equal('');
  });

  it('are refused as YAML, whether it is JSON or not', async () => {
    const block = Buffer.from(`a:\n${'- b\n'.repeat(2 * most)}`);
    const flow = Buffer.from(`{ a: [${'b,'.repeat(2 * most)}b] }`);
    for (const bytes of [block, flow]) {
      expect(await refusal(() => readYAML(bytes))).to.equal(tooMany);
      expect(await refusal(() => decodeYAML(bytes, pods))).to.equal(tooMany);
    }
  });

  it('are refused as protobuf', async () => {
    const bytes = encodeProtobuf(podOf(most + 1) as never, pods.schema);
    expect(await refusal(() => decodeProtobuf(bytes, pods, { outside: true }))).to.equal(tooMany);
    expect(await refusal(() => decodeProtobuf(bytes, pods))).to.equal('');
  });
});
