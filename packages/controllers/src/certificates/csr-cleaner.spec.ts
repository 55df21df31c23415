import { expect } from 'chai';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { isOver } from './csr-cleaner.ts';

const nowMs = Date.UTC(2026, 0, 2);
const ago = (hours: number): string => new Date(nowMs - hours * 3_600_000).toISOString();
const request = (
  created: number,
  condition?: readonly [string, number],
  certificate?: string,
): CertificateSigningRequest =>
  ({
    metadata: { name: 'a', creationTimestamp: ago(created) },
    spec: { request: '', signerName: 'example.com/a' },
    status: {
      ...(certificate === undefined ? {} : { certificate }),
      ...(condition === undefined
        ? {}
        : { conditions: [{ type: condition[0], status: 'True', lastUpdateTime: ago(condition[1]) }] }),
    },
  }) as CertificateSigningRequest;

describe('CSRCleaner', () => {
  const rows: readonly (readonly [string, CertificateSigningRequest, boolean])[] = [
    ['pending for a day', request(25), true],
    ['pending since a while', request(23), false],
    ['denied an hour ago', request(2, ['Denied', 1.1]), true],
    ['just denied', request(30, ['Denied', 0.5]), false],
    ['failed an hour ago', request(2, ['Failed', 1.1]), true],
    ['approved and issued an hour ago', request(2, ['Approved', 1.1], 'eA=='), true],
    ['approved, not issued', request(30, ['Approved', 2]), false],
    ['approved a day ago, never issued', request(30, ['Approved', 25]), true],
    ['just issued', request(2, ['Approved', 0.5], 'eA=='), false],
  ];
  for (const [what, object, over] of rows)
    it(`${over ? 'deletes' : 'keeps'} a request that is ${what}`, () => {
      expect(isOver(object, { now: () => nowMs })).to.equal(over);
    });
});
