import { expect } from 'chai';
import { encodeV2, encodeV3 } from './encode.ts';

const hex = (...parts: (string | number[])[]): string =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString('hex');

describe('gnostic protobuf', () => {
  it('writes version 2 documents', () => {
    const bytes = encodeV2({ swagger: '2.0', definitions: { A: { type: 'object', 'x-b': 'c' } } });
    // swagger = 1; definitions = 9 { named schema = 1 { name = 1, value = 2 { type = 22 { value = 1 }, extension = 31 {
    // name = 1, value = 2 { yaml = 2 } } } } }
    expect(bytes.toString('hex')).to.equal(
      hex(
        [0x0a, 3],
        '2.0',
        [0x4a, 0x20, 0x0a, 0x1e, 0x0a, 1],
        'A',
        [0x12, 0x19, 0xb2, 1, 8, 0x0a, 6],
        'object',
        [0xfa, 1, 11, 0x0a, 3],
        'x-b',
        [0x12, 4, 0x12, 2],
        'c\n',
      ),
    );
  });

  it('writes defaults of version 3, also those that are zero', () => {
    const bytes = encodeV3({ openapi: '3.0.0', components: { schemas: { A: { default: 0 } } } });
    expect(bytes.toString('hex')).to.equal(
      hex(
        [0x0a, 5],
        '3.0.0',
        [0x2a, 0x17, 0x0a, 0x15, 0x0a, 0x13, 0x0a, 1],
        'A',
        [0x12, 0x0e, 0x0a, 0x0c, 0x8a, 2, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0],
      ),
    );
  });
});
