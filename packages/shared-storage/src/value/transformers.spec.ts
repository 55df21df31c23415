import { messageOf } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { AESCBCTransformer } from './aes-cbc.ts';
import { AESGCMTransformer } from './aes-gcm.ts';
import { identityTransformer } from './identity.ts';
import { PrefixTransformers } from './prefix-transformers.ts';
import { SecretboxTransformer } from './secretbox.ts';
import type { ValueTransformer } from './transformer.ts';

const key = '/registry/secrets/ns/name';
const plain = Buffer.from('{"kind":"Secret","apiVersion":"v1"}');

function keyOf(size: number, seed = 1): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + seed) % 256));
}

async function roundTrip(
  transformer: ValueTransformer,
  value: Uint8Array,
): Promise<{ readonly stored: Buffer; readonly read: Buffer; readonly stale: boolean }> {
  const stored = Buffer.from(await transformer.toStorage(value, key));
  const { value: read, stale } = await transformer.fromStorage(stored, key);
  return { stored, read: Buffer.from(read), stale };
}

/** Message of what a read throws; '' when it throws nothing. */
function failureOf(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

describe('value transformers', () => {
  const encrypting: readonly {
    readonly name: string;
    readonly make: (seed?: number) => ValueTransformer;
    readonly overhead: number;
    readonly authenticated: boolean;
  }[] = [
    { name: 'aesgcm 128', make: (seed) => new AESGCMTransformer(keyOf(16, seed)), overhead: 28, authenticated: true },
    { name: 'aesgcm 192', make: (seed) => new AESGCMTransformer(keyOf(24, seed)), overhead: 28, authenticated: true },
    { name: 'aesgcm 256', make: (seed) => new AESGCMTransformer(keyOf(32, seed)), overhead: 28, authenticated: true },
    {
      name: 'aescbc 128',
      make: (seed) => new AESCBCTransformer(keyOf(16, seed)),
      overhead: 16 + 13,
      authenticated: false,
    },
    {
      name: 'aescbc 256',
      make: (seed) => new AESCBCTransformer(keyOf(32, seed)),
      overhead: 16 + 13,
      authenticated: false,
    },
    { name: 'secretbox', make: (seed) => new SecretboxTransformer(keyOf(32, seed)), overhead: 40, authenticated: true },
  ];

  for (const { name, make, overhead, authenticated } of encrypting) {
    describe(name, () => {
      it('reads what it has written', async () => {
        for (const value of [plain, Buffer.alloc(0), Buffer.alloc(16, 1), Buffer.alloc(100_000, 'x')]) {
          const { stored, read, stale } = await roundTrip(make(), value);
          expect(read.equals(value)).to.equal(true);
          expect(stale).to.equal(false);
          expect(stored.includes(plain)).to.equal(false);
        }
        expect((await roundTrip(make(), plain)).stored).to.have.lengthOf(plain.length + overhead);
      });

      it('writes the same value differently each time', async () => {
        const transformer = make();
        expect(
          (await roundTrip(transformer, plain)).stored.equals((await roundTrip(transformer, plain)).stored),
        ).to.equal(false);
      });

      it('does not read with another key', async () => {
        const { stored } = await roundTrip(make(1), plain);
        let read: Uint8Array | undefined;
        try {
          ({ value: read } = await make(2).fromStorage(stored, key));
        } catch {
          return;
        }
        // CBC cannot tell a wrong key for sure; it must not give the text.
        expect(authenticated).to.equal(false);
        expect(Buffer.from(read).equals(plain)).to.equal(false);
      });

      it('refuses values that are too short', () => {
        expect(failureOf(() => make().fromStorage(Buffer.from('short'), key))).to.equal(
          'the stored data was shorter than the required size',
        );
      });

      if (authenticated) {
        it('refuses changed values', async () => {
          const { stored } = await roundTrip(make(), plain);
          for (const at of [0, stored.length >> 1, stored.length - 1]) {
            const changed = Buffer.from(stored);
            changed[at] = (changed[at] ?? 0) ^ 1;
            expect(failureOf(() => make().fromStorage(changed, key))).to.not.equal('');
          }
        });
      }
    });
  }

  it('aesgcm refuses a value moved to another key', async () => {
    const transformer = new AESGCMTransformer(keyOf(32));
    const { stored } = await roundTrip(transformer, plain);
    expect(failureOf(() => transformer.fromStorage(stored, '/registry/secrets/ns/other'))).to.equal(
      'cipher: message authentication failed',
    );
  });

  it('aesgcm reads what Go has written', () => {
    // crypto/aes + cipher.NewGCM: key 0..31, nonce 12 zero bytes, additional data "/k", plaintext "kubechain".
    const transformer = new AESGCMTransformer(Buffer.from(Array.from({ length: 32 }, (_, i) => i)));
    const written = Buffer.from('65c9d7bbd644e2d4661724aa830f66317dca9f1ebf55701dc3', 'hex');
    expect(
      Buffer.from(transformer.fromStorage(Buffer.concat([Buffer.alloc(12), written]), '/k').value).toString(),
    ).to.equal('kubechain');
  });

  it('secretbox reads what Go has written', () => {
    // golang.org/x/crypto/nacl/secretbox: key 0..31, nonce 24 zero bytes, plaintext "kubechain".
    const transformer = new SecretboxTransformer(Buffer.from(Array.from({ length: 32 }, (_, i) => i)));
    const written = Buffer.from('90c5ddfdef9e3889fb6cd17b0b37c67c217b9224fbc2de5a32', 'hex');
    expect(Buffer.from(transformer.fromStorage(Buffer.concat([Buffer.alloc(24), written])).value).toString()).to.equal(
      'kubechain',
    );
  });

  it('refuses keys of a wrong size', () => {
    expect(() => new AESGCMTransformer(keyOf(20))).to.throw('crypto/aes: invalid key size 20');
    expect(() => new AESCBCTransformer(keyOf(8))).to.throw('crypto/aes: invalid key size 8');
    expect(() => new SecretboxTransformer(keyOf(16))).to.throw('expected key size 32 for secretbox provider, got 16');
  });

  describe('prefixes', () => {
    const one = { prefix: 'one:', transformer: new AESGCMTransformer(keyOf(32, 1)) };
    const two = { prefix: 'two:', transformer: new AESGCMTransformer(keyOf(32, 2)) };
    const identity = { prefix: '', transformer: identityTransformer };

    it('writes with the first and reads with all, telling what is stale', async () => {
      const old = new PrefixTransformers([one], 'none');
      const rotated = new PrefixTransformers([two, one, identity], 'none');
      const stored = await old.toStorage(plain, key);
      expect(Buffer.from(stored).subarray(0, 4).toString()).to.equal('one:');
      const before = await rotated.fromStorage(stored, key);
      expect(before.stale).to.equal(true);
      expect(Buffer.from(before.value).equals(plain)).to.equal(true);
      const after = await roundTrip(rotated, plain);
      expect(after.stale).to.equal(false);
      expect(after.stored.subarray(0, 4).toString()).to.equal('two:');
      expect((await rotated.fromStorage(plain, key)).stale, 'a plain value is to be encrypted').to.equal(true);
    });

    it('goes on to the next of the same prefix', async () => {
      const stored = await new PrefixTransformers([{ prefix: 'x:', transformer: one.transformer }], 'none').toStorage(
        plain,
        key,
      );
      const both = new PrefixTransformers(
        [
          { prefix: 'x:', transformer: two.transformer },
          { prefix: 'x:', transformer: one.transformer },
        ],
        'none',
      );
      expect((await both.fromStorage(stored, key)).stale).to.equal(true);
    });

    it('tells why nothing could read a value', async () => {
      const transformers = new PrefixTransformers([identity, one], 'no matching prefix found');
      expect(failureOf(() => transformers.fromStorage(Buffer.from('k8s:enc:unknown'), key))).to.equal(
        'no matching prefix found',
      );
      const stored = Buffer.from(one.transformer.toStorage(plain, 'elsewhere'));
      const withPrefix = Buffer.concat([Buffer.from('one:'), stored]);
      expect(failureOf(() => new PrefixTransformers([one], 'none').fromStorage(withPrefix, key))).to.equal(
        'cipher: message authentication failed',
      );
    });

    it('works with transformers that answer later', async () => {
      const later: ValueTransformer = {
        fromStorage: () => Promise.reject(new Error('not me')),
        toStorage: (value) => Promise.resolve(value),
      };
      const transformers = new PrefixTransformers([{ prefix: 'one:', transformer: later }, one], 'none');
      const stored = Buffer.concat([Buffer.from('one:'), one.transformer.toStorage(plain, key)]);
      const read = await transformers.fromStorage(stored, key);
      expect(read.stale).to.equal(true);
      expect(Buffer.from(await transformers.toStorage(plain, key)).toString()).to.equal(`one:${plain.toString()}`);
    });
  });
});
