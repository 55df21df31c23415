import { builtinScheme, decodeProtobuf, encodeProtobuf } from '@kubechain/apimachinery';
import type { KindInfo } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { Answer } from '../harness/client.ts';
import { encodings, type Encoding } from './encodings.ts';
import type { TrialRequest } from './requests.ts';

const encoding = (name: string): Encoding => encodings.get(name) as Encoding;
const request = (body: object, contentType = 'application/json'): TrialRequest => ({
  method: 'POST',
  path: '/',
  contentType,
  body: JSON.stringify(body),
});
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
const answer = (contentType: string, bytes: Buffer): Answer => ({
  status: 200,
  headers: { 'content-type': contentType },
  text: bytes.toString(),
  bytes,
  body: undefined,
});

describe('the form of what is sent and answered', () => {
  it('is protobuf where the object has one, and JSON elsewhere', () => {
    const { body, contentType } = encoding('protobuf').encode(request(configMap));
    expect(contentType).to.equal('application/vnd.kubernetes.protobuf');
    expect(decodeProtobuf(Buffer.from(body), undefined, { scheme: builtinScheme() }).object).to.deep.include(configMap);
    for (const other of [
      request({ ...configMap, data: 1 }),
      request({ ...configMap, kind: 'Other' }),
      request(configMap, 'application/merge-patch+json'),
    ])
      expect(encoding('protobuf').encode(other)).to.deep.equal({ body: other.body, contentType: other.contentType });
  });

  it('is YAML but for patches that are JSON', () => {
    expect(encoding('yaml').encode(request({ a: ['yes'] }))).to.deep.equal({
      contentType: 'application/yaml',
      body: 'a:\n  - "yes"\n',
    });
    expect(encoding('yaml').encode(request({ a: 1 }, 'application/apply-patch+yaml')).body).to.equal('a: 1\n');
    expect(encoding('yaml').encode(request({ a: 1 }, 'application/merge-patch+json')).body).to.equal('{"a":1}');
    expect(encoding('yaml').read(answer('application/yaml', Buffer.from('a: [b]\n'))).body).to.deep.equal({ a: ['b'] });
  });

  it('tells of protobuf that is written in another way, though it reads alike', () => {
    const { schema } = builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMap' }) as KindInfo;
    const bytes = encodeProtobuf(configMap, schema);
    const read = (given: Buffer): object =>
      encoding('protobuf').read(answer('application/vnd.kubernetes.protobuf', given)).body as object;
    expect(read(bytes)).to.deep.include(configMap).and.not.to.have.any.keys('in other bytes');
    // A field that nobody knows, behind the last one.
    expect(read(Buffer.concat([bytes, Buffer.from([0x48, 1])]))).to.have.any.keys('in other bytes');
  });
});
