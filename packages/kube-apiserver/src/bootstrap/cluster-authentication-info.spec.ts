import { createCertificate } from '@kubechain/apiserver/certificates';
import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { combinedAuthenticationData, type ClusterAuthenticationInfo } from './cluster-authentication-info.ts';

const nowMs = Date.parse('2026-06-01T00:00:00Z');
const dayMs = 86_400_000;

function authority(commonName: string, endsMs = nowMs + dayMs): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return createCertificate({
    commonName,
    isCA: true,
    names: [],
    notBefore: new Date(nowMs - dayMs),
    notAfter: new Date(endsMs),
    publicKey,
    signingKey: privateKey,
  });
}

describe('what extension API servers are told', () => {
  const clients = authority('clients');
  const proxies = authority('proxies');
  const info: ClusterAuthenticationInfo = {
    clientCA: clients,
    requestHeaderCA: proxies,
    allowedNames: ['front'],
    usernameHeaders: ['X-Remote-User'],
    uidHeaders: ['X-Remote-Uid'],
    groupHeaders: ['X-Remote-Group'],
    extraHeaderPrefixes: ['X-Remote-Extra-'],
  };
  const data = combinedAuthenticationData({}, info, nowMs);

  it('is what the flags say', () => {
    expect(data).to.deep.equal({
      'client-ca-file': clients,
      'requestheader-client-ca-file': proxies,
      'requestheader-allowed-names': '["front"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    });
  });
  it('stays when it is said again', () => {
    expect(combinedAuthenticationData(data, info, nowMs)).to.deep.equal(data);
  });
  it('keeps what other servers said, before what this one adds', () => {
    const renewed = authority('proxies');
    const combined = combinedAuthenticationData(
      data,
      { ...info, requestHeaderCA: renewed, allowedNames: ['other', 'front'] },
      nowMs,
    );
    expect(combined['requestheader-client-ca-file']).to.equal(`${proxies}${renewed}`);
    expect(combined['requestheader-allowed-names']).to.equal('["front","other"]');
  });
  it('forgets authorities five minutes after they ended', () => {
    const ended = authority('ended', nowMs - 300_001);
    const ending = authority('ending', nowMs - 299_000);
    expect(
      combinedAuthenticationData({ 'client-ca-file': `${ended}${ending}` }, info, nowMs)['client-ca-file'],
    ).to.equal(`${ending}${clients}`);
  });
  it('says nothing of front proxies where there are none, and of uids where no header has them', () => {
    expect(combinedAuthenticationData({}, { ...info, requestHeaderCA: '' }, nowMs)).to.deep.equal({
      'client-ca-file': clients,
    });
    expect(combinedAuthenticationData({}, { ...info, uidHeaders: [] }, nowMs)).not.to.have.property(
      'requestheader-uid-headers',
    );
  });
  it('is not made of what is broken', () => {
    expect(() => combinedAuthenticationData({ 'requestheader-allowed-names': '[' }, info, nowMs)).to.throw(SyntaxError);
    expect(() =>
      combinedAuthenticationData(
        { 'client-ca-file': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' },
        info,
        nowMs,
      ),
    ).to.throw();
  });
});
