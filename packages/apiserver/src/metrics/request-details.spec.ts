import { expect } from 'chai';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { ServerRequestContext } from '../request/server-request-context.ts';
import { RequestDetails } from './request-details.ts';

function context(verb: string, search = ''): ServerRequestContext {
  const made = new ServerRequestContext({} as ServerRequestContext['request'], {} as ServerRequestContext['response'], {
    auditID: '',
    receivedAtMs: 0,
    startedAt: 0,
  });
  made.requestInfo = { ...made.requestInfo, verb };
  made.metricsTarget = { group: 'apps', version: 'v1', resource: 'deployments', subresource: 'status' };
  made.search = search;
  return made;
}

function shown(details: RequestDetails, name: string): unknown[] {
  const registry = new MetricRegistry();
  details.register(registry);
  return registry
    .samples(name)
    .filter((sample) => sample.name === undefined || sample.name === `${name}_count`)
    .map(({ labels, value }) => [...Object.values(labels), value]);
}

describe('RequestDetails', () => {
  it('counts sizes of bodies by resource and verb, over versions and subresources', () => {
    const details = new RequestDetails();
    details.bodyRead(context('update'), 10);
    details.bodyRead(context('update'), 60_000);
    details.bodyRead(context('deletecollection'), 0);
    expect(shown(details, 'apiserver_request_body_size_bytes')).to.deep.equal([
      ['apps', 'deployments', 'update', 2],
      ['apps', 'deployments', 'delete_collection', 1],
    ]);
  });

  it('counts comparisons by how they were decided', () => {
    const details = new RequestDetails();
    details.timestampsCompared('unequal_objects_fast', 0.00001);
    details.timestampsCompared('equal_objects', 0.001);
    expect(shown(details, 'apiserver_request_timestamp_comparison_time')).to.deep.equal([
      ['unequal_objects_fast', 1],
      ['equal_objects', 1],
    ]);
  });

  it('counts what became of work that nobody waited for', () => {
    const details = new RequestDetails();
    details.outlived('timeout-handler', 'ok');
    details.outlived('rest-handler', 'error');
    details.outlived('timeout-handler', 'ok');
    expect(shown(details, 'apiserver_request_post_timeout_total')).to.deep.equal([
      ['timeout-handler', 'ok', 2],
      ['rest-handler', 'error', 1],
    ]);
  });

  it('names the field validations that it has seen, as the reference does', () => {
    const details = new RequestDetails();
    for (const search of [
      '',
      'fieldValidation=Strict',
      'fieldValidation=No',
      'fieldValidation=Warn&fieldValidation=Warn',
    ])
      details.fieldsValidated(context('create', search));
    expect(shown(details, 'field_validation_request_duration_seconds')).to.deep.equal([
      ['', 0],
      ['Strict', 0],
      ['invalid', 0],
    ]);
  });
});
