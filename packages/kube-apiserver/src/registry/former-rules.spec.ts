import { FieldPath, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { tellFormerly } from './former-rules.ts';

describe('tellFormerly', () => {
  const inRelease = (minor: number): ReturnType<typeof tellFormerly> =>
    tellFormerly({ since: (version) => minor >= Number(version.slice(2)) });
  const told = (minor: number, error: FieldError, kind = 'Pod'): string[] =>
    inRelease(minor)([error], { apiVersion: 'v1', kind }).map(String);
  const long = invalidValue(FieldPath.of('metadata', 'labels'), 'x', 'must be no more than 63 bytes');

  it('counts characters until 1.34', () => {
    expect(told(34, long)).to.deep.equal(['metadata.labels: Invalid value: "x": must be no more than 63 characters']);
    expect(told(35, long)).to.deep.equal([String(long)]);
  });

  it('has rules of one kind, which leave others alone', () => {
    const handler = required(FieldPath.of('handler'));
    expect(told(35, handler, 'RuntimeClass')[0]).to.match(/^handler: Invalid value: "": a lowercase RFC 1123 label/);
    expect(told(35, handler)).to.deep.equal([String(handler)]);
  });

  it('tells of some mistakes more than once', () => {
    const attacher = required(FieldPath.of('spec', 'attacher'));
    expect(told(35, attacher, 'VolumeAttachment')).to.have.length(2);
    expect(told(34, attacher, 'VolumeAttachment')).to.have.length(3);
  });
});
