import {
  invalidValue,
  isDNS1123Subdomain,
  isValidPortNum,
  parseURL,
  required,
  type FieldError,
  type FieldPath,
} from '@kubechain/apimachinery';

const desired = '; desired format: https://host[/path]';

interface WrittenService {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
}
/** A client configuration as somebody wrote it. */
export interface WrittenTarget {
  readonly url?: string;
  readonly service?: WrittenService;
}

/** What is wrong with where a webhook is said to be, its certificates apart (apiserver pkg/util/webhook, 1.36). */
export function validateWebhookTarget({ service, url }: WrittenTarget, path: FieldPath): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [required(path, 'exactly one of url or service is required')];
  if (url !== undefined) return validateURL(url, path.child('url'));
  return service === undefined ? [] : validateService(service, path.child('service'));
}

function validateURL(text: string, path: FieldPath): FieldError[] {
  const url = parseURL(text);
  if (typeof url === 'string') return [required(path, `url must be a valid URL: ${url}${desired}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== 'https')
    errors.push(invalidValue(path, url.scheme, `'https' is the only allowed URL scheme${desired}`));
  if (url.host === '') errors.push(invalidValue(path, url.host, `host must be specified${desired}`));
  if (url.user !== undefined) errors.push(invalidValue(path, url.user, 'user information is not permitted in the URL'));
  if (url.fragment !== '') errors.push(invalidValue(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.rawQuery !== '')
    errors.push(invalidValue(path, url.rawQuery, 'query parameters are not permitted in the URL'));
  return errors;
}

function validateService(service: WrittenService, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', namespace = '', port = 443, path: text } = service;
  // The reference hands namespace and name to its helper the wrong way round, so that each is missed under the other's
  // field.
  if (namespace === '') errors.push(required(path.child('name')));
  if (name === '') errors.push(required(path.child('namespace')));
  const ports = isValidPortNum(port);
  if (ports.length > 0) errors.push(invalidValue(path.child('port'), port, `port is not valid: ${ports.join(', ')}`));
  if (text === undefined || text === '' || text === '/') return errors;
  const at = path.child('path');
  if (text === '//') return [...errors, invalidValue(at, text, 'segment[0] may not be empty')];
  if (!text.startsWith('/')) errors.push(invalidValue(at, text, "must start with a '/'"));
  const inner = text.slice(1);
  (inner.endsWith('/') ? inner.slice(0, -1) : inner).split('/').forEach((segment, i) => {
    if (segment === '') errors.push(invalidValue(at, text, `segment[${i}] may not be empty`));
    else
      for (const message of isDNS1123Subdomain(segment))
        errors.push(invalidValue(at, text, `segment[${i}]: ${message}`));
  });
  return errors;
}
