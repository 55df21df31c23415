import type { ObjectRecord } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DefaultedBytes } from './defaulted-bytes.ts';

describe('DefaultedBytes', () => {
  it('counts a record for as long as somebody has it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const whole = new DefaultedBytes(10_000);
    const part = new DefaultedBytes(5_000, whole);
    (() => {
      part.keep({ key: 'a' } as ObjectRecord, 4_000);
      part.keep({ key: 'b' } as ObjectRecord, 1_000);
    })();
    expect([part.bytes, whole.bytes]).to.deep.equal([4_000, 4_000]);
    expect([part.hasRoom(2_000), part.hasRoom(1_023), whole.hasRoom(2_000)]).to.deep.equal([false, true, true]);
    while (part.bytes > 0) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect([part.hasRoom(2_000), whole.bytes]).to.deep.equal([true, 0]);
  });
});
