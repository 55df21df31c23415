import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import { expect } from 'chai';
import { writeAnnotations } from '../encrypted-object.ts';
import { FakeGRPCPlugin, type FakeAnswer } from './fake-grpc-plugin.ts';

/** A KMS v2 plugin that "encrypts" by turning bytes around. */
export class FakePlugin extends FakeGRPCPlugin {
  keyID = 'key-1';
  healthz = 'ok';

  constructor() {
    super('v2.KeyManagementService');
  }

  protected override answer(method: string, request: Buffer): FakeAnswer {
    const writer = new WireWriter();
    if (method === 'Status') {
      writer.textField(26, this.keyID);
      writer.textField(18, this.healthz);
      writer.textField(10, 'v2');
      return { frame: writer.finishFrame() };
    }
    const reader = new WireReader(request);
    let bytes: Buffer = Buffer.alloc(0);
    let annotated = false;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === 10) bytes = reader.bytes();
      else {
        annotated ||= tag === 34;
        reader.skip(tag);
      }
    }
    expect(annotated, 'annotations come back with the key').to.equal(method === 'Decrypt');
    if (method === 'Encrypt') {
      writeAnnotations(writer, 26, new Map([['version.encryption.example.io', Buffer.from('1')]]));
      writer.textField(18, this.keyID);
    }
    writer.bytesField(10, Buffer.from(bytes).reverse());
    return { frame: writer.finishFrame() };
  }
}
