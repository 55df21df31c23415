import {
  createScheme,
  decodeJSON,
  decodeYAML,
  FormatError,
  isDecodeError,
  schemaFor,
  type KindInfo,
} from '@kubechain/apimachinery';
import type { AnsweredReview } from './admission-review.ts';
import { webhookSchemeName } from '../../webhook/scheme-name.ts';

const reviews: ReadonlyMap<string, KindInfo> = new Map(
  ['v1', 'v1beta1'].map((version) => [
    version,
    {
      gvk: { group: 'admission.k8s.io', version, kind: 'AdmissionReview' },
      get schema() {
        return schemaFor(`io.k8s.api.admission.${version}.AdmissionReview`);
      },
      goType: `${version}.AdmissionReview`,
      hubType: `${version}.AdmissionReview`,
    },
  ]),
);
/** What else the reference's scheme for webhooks knows, and may be mistaken for a review. */
const status: KindInfo = {
  gvk: { group: '', version: 'v1', kind: 'Status' },
  goType: 'v1.Status',
  hubType: 'v1.Status',
  get schema() {
    return schemaFor('io.k8s.apimachinery.pkg.apis.meta.v1.Status');
  },
};
const options = {
  scheme: createScheme({ kinds: [...reviews.values(), status] }),
  schemeName: webhookSchemeName,
};

/**
 * Reads a webhook's answer as Go does: JSON or YAML whatever its media type says, checked against the type of
 * AdmissionReview of the version that was sent. What the answer lacks of kind and apiVersion stays absent.
 *
 * @throws FormatError with Go's text
 */
export async function readReview(body: Buffer, version: string): Promise<AnsweredReview> {
  const expected = reviews.get(version);
  try {
    const {
      object: { apiVersion: _apiVersion, kind: _kind, ...review },
      written: { apiVersion, kind },
    } = beginsLikeJSON(body) ? decodeJSON(body, expected, options) : await decodeYAML(body, expected, options);
    return { ...review, ...(apiVersion === '' ? {} : { apiVersion }), ...(kind === '' ? {} : { kind }) };
  } catch (error) {
    throw isDecodeError(error) ? new FormatError(error.message, { cause: error }) : error;
  }
}

/** How far one is looked for: what is read as YAML otherwise says the same, more slowly. */
const mostBlanks = 1_024;

function beginsLikeJSON(body: Buffer): boolean {
  return body.toString('utf8', 0, mostBlanks).trimStart().startsWith('{');
}
