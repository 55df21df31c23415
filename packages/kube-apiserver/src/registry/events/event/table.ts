import { ageSince } from '@kubechain/apiserver/resources';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import { nameOf } from '../../table/printer.ts';
import type { Printer } from '../../table/printer.ts';

/** Row of Event (pkg/printers/internalversion, 1.36). */
export const printEvent: Printer<Event> = (event) => {
  const first = ageSince(event.firstTimestamp || event.eventTime);
  const last =
    event.series === undefined
      ? event.lastTimestamp
        ? ageSince(event.lastTimestamp)
        : first
      : ageSince(event.series.lastObservedTime);
  const { kind = '', name = '', fieldPath = '' } = event.involvedObject ?? {};
  const instance = event.source?.host || event.reportingInstance || '';
  const source = event.source?.component || event.reportingComponent || '';
  return [
    last,
    event.type ?? '',
    event.reason ?? '',
    name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
    fieldPath,
    instance === '' ? source : `${source}, ${instance}`,
    (event.message ?? '').trim(),
    first,
    event.series === undefined ? event.count || 1 : (event.series.count ?? 0),
    nameOf(event),
  ];
};
