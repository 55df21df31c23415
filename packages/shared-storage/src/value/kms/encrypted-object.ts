import { ProtobufReader } from '../../etcd-client/protobuf-reader.ts';
import { ProtobufWriter } from '../../etcd-client/protobuf-writer.ts';
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
export function writeAnnotations(writer: ProtobufWriter, field: number, annotations: Annotations): void {
  for (const [name, value] of annotations) {
    const start = writer.begin(field);
    writer.string(1, name);
    writer.bytes(2, value);
    writer.end(start);
  }
}

/** Reads one entry of a map<string, bytes> field. */
export function readAnnotation(reader: ProtobufReader): readonly [string, Buffer] {
  const outer = reader.enter();
  let name = '';
  let value: Buffer = Buffer.alloc(0);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) name = reader.string();
    else if (tag === 18) value = reader.bytes();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return [name, value];
}

/** The bytes to store. */
export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  const writer = new ProtobufWriter(object.data.length + object.dekSource.length + object.keyID.length + 64);
  writer.bytes(1, object.data);
  writer.string(2, object.keyID);
  writer.bytes(3, object.dekSource);
  writeAnnotations(writer, 4, object.annotations);
  writer.int64(5, object.dekSourceType);
  // Without the gRPC frame header that the writer keeps room for.
  return writer.frame().subarray(5);
}

/** @throws TransformError */
export function decodeEncryptedObject(stored: Uint8Array): EncryptedObject {
  const reader = new ProtobufReader(Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength));
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
          keyID = reader.string();
          break;
        case 26:
          dekSource = reader.bytes();
          break;
        case 34:
          annotations.set(...readAnnotation(reader));
          break;
        case 40:
          dekSourceType = reader.int64();
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
      `failed to validate encrypted DEK source: encrypted DEK source is ${dekSource.length} bytes, which exceeds the max size of ${maxDEKSourceBytes}`,
    );
}
