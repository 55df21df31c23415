import { expect } from 'chai';
import { readReview } from './read-review.ts';

const outcome = async (text: string, version = 'v1'): Promise<unknown> =>
  readReview(Buffer.from(text), version).catch((error: unknown) => (error as Error).message);
const review = (response: object): string =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

describe('readReview', () => {
  it('reads JSON, and YAML whatever the media type says', async () => {
    expect(await outcome(review({ uid: 'u', allowed: true }))).to.deep.include({
      kind: 'AdmissionReview',
      response: { uid: 'u', allowed: true },
    });
    expect(
      await outcome('apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  uid: u\n  allowed: true\n'),
    ).to.deep.include({ response: { uid: 'u', allowed: true } });
    expect(await outcome('null')).to.not.have.property('response');
    expect(await outcome(' {"response":{"uid":"u","allowed":true}}')).to.deep.equal({
      response: { uid: 'u', allowed: true },
    });
  });

  const refused: readonly (readonly [name: string, text: string, reason: string])[] = [
    [
      'text',
      'garbage',
      `couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${typeMeta}`,
    ],
    [
      'a list',
      '[]',
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${typeMeta}`,
    ],
    ['half a document', '{"a":', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    [
      'another version of itself',
      JSON.stringify({ apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview' }),
      'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'a version that nobody knows',
      JSON.stringify({ apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview' }),
      'no kind "AdmissionReview" is registered for version "admission.k8s.io/v2" in scheme ' +
        '"k8s.io/apiserver/pkg/util/webhook/client.go:71"',
    ],
    [
      'another kind',
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod' }),
      'no kind "Pod" is registered for version "v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
    ],
    [
      'a Status',
      JSON.stringify({ apiVersion: 'v1', kind: 'Status' }),
      'converting (v1.Status) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'values of other types',
      review({ allowed: 'true' }),
      'json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    ['a patch that is no base64', review({ allowed: true, patch: '!!!' }), 'illegal base64 data at input byte 0'],
  ];
  for (const [name, text, reason] of refused)
    it(`refuses ${name}`, async () => {
      expect(await outcome(text)).to.equal(reason);
    });
});
