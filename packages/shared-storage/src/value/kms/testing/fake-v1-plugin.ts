import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import { FakeGRPCPlugin, type FakeAnswer } from './fake-grpc-plugin.ts';

/** A KMS v1 plugin that "encrypts" by turning bytes around. */
export class FakeV1Plugin extends FakeGRPCPlugin {
  version = 'v1beta1';
  /** Calls are answered with this gRPC status. */
  status = 0;

  constructor() {
    super('v1beta1.KeyManagementService');
  }

  protected override answer(method: string, request: Buffer): FakeAnswer {
    const writer = new WireWriter();
    if (method === 'Version') {
      writer.textField(10, this.version);
      return { frame: writer.finishFrame() };
    }
    const reader = new WireReader(request);
    let bytes: Buffer = Buffer.alloc(0);
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (tag === 18) bytes = reader.bytes();
      else reader.skip(tag);
    }
    writer.bytesField(10, Buffer.from(bytes).reverse());
    return { frame: writer.finishFrame(), status: this.status };
  }
}
