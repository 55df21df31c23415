import { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import { TransformError } from '../transform-error.ts';

/** Text → bytes, as a protobuf map. */
export type Annotations = ReadonlyMap<string, Buffer>;

/** How the decrypted source becomes a key: it is the key, or the seed of one key per value. */
export const dekSourceTypes = { aesGCMKey: 0, hkdfSeed: 1 } as const;

/** What is stored for a value that a KMS provider protects (envelope/kmsv2/v2 EncryptedObject). */
export interface EncryptedObject {
  readonly data: Buffer;
  readonly keyID: string;
  /** The key or seed, encrypted by the provider. */
  readonly dekSource: Buffer;
  readonly annotations: Annotations;
  readonly dekSourceType: number;
}

const maxKeyIDBytes = 1024;
const maxDEKSourceBytes = 1024;

/** Writes a map<string, bytes> field. */
export function writeAnnotations(writer: WireWriter, tag: number, annotations: Annotations): void {
  for (const [name, value] of [...annotations].reverse()) {
    const start = writer.length;
    writer.bytesField(0x12, value);
    writer.textField(0x0a, name);
    writer.close(tag, start);
  }
}

/** Reads one entry of a map<string, bytes> field. */
export function readAnnotation(reader: WireReader): readonly [string, Buffer] {
  const outer = reader.enter();
  let name = '';
  let value: Buffer = Buffer.alloc(0);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) name = reader.text();
    else if (tag === 18) value = reader.bytes();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return [name, value];
}

/** The bytes to store. */
export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  const writer = new WireWriter(object.data.length + object.dekSource.length + object.keyID.length + 64);
  if (object.dekSourceType !== 0) writer.integerField(0x28, object.dekSourceType);
  writeAnnotations(writer, 0x22, object.annotations);
  writer.bytesField(0x1a, object.dekSource);
  writer.textField(0x12, object.keyID);
  writer.bytesField(0x0a, object.data);
  return writer.finish();
}

/** @throws TransformError */
export function decodeEncryptedObject(stored: Uint8Array): EncryptedObject {
  const reader = new WireReader(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength));
  let data: Buffer = Buffer.alloc(0);
  let keyID = '';
  let dekSource: Buffer = Buffer.alloc(0);
  const annotations = new Map<string, Buffer>();
  let dekSourceType = 0;
  try {
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      switch (tag) {
        case 10:
          data = reader.bytes();
          break;
        case 18:
          keyID = reader.text();
          break;
        case 26:
          dekSource = reader.bytes();
          break;
        case 34:
          annotations.set(...readAnnotation(reader));
          break;
        case 40:
          dekSourceType = reader.integer();
          break;
        default:
          reader.skip(tag);
      }
    }
  } catch (cause) {
    throw new TransformError('the stored data is not an encrypted object', { cause });
  }
  if (dekSourceType !== dekSourceTypes.aesGCMKey && dekSourceType !== dekSourceTypes.hkdfSeed)
    throw new TransformError(`unknown encryptedDEKSourceType: ${dekSourceType}`);
  if (data.length === 0) throw new TransformError('encrypted data is empty');
  checkDEKSource(dekSource);
  checkKeyID(keyID);
  return { data, keyID, dekSource, annotations, dekSourceType };
}

/** What is wrong with the name of a key, in the words of metrics. */
export function keyIDProblem(keyID: string): 'empty' | 'too_long' | undefined {
  if (keyID === '') return 'empty';
  return Buffer.byteLength(keyID) > maxKeyIDBytes ? 'too_long' : undefined;
}

/** @throws TransformError */
export function checkKeyID(keyID: string): void {
  const bytes = Buffer.byteLength(keyID);
  if (bytes === 0) throw new TransformError('failed to validate key id: keyID is empty');
  if (bytes > maxKeyIDBytes)
    throw new TransformError(
      `failed to validate key id: keyID is ${bytes} bytes, which exceeds the max size of ${maxKeyIDBytes}`,
    );
}

/** @throws TransformError */
export function checkDEKSource(dekSource: Buffer): void {
  if (dekSource.length === 0)
    throw new TransformError('failed to validate encrypted DEK source: encrypted DEK source is empty');
  if (dekSource.length > maxDEKSourceBytes)
    throw new TransformError(
      `failed to validate encrypted DEK source: encrypted DEK source is ${dekSource.length} bytes, which ` +
        `exceeds the max size of ${maxDEKSourceBytes}`,
    );
}
