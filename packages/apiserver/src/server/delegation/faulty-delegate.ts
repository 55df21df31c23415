import type { IncomingMessage, ServerResponse } from 'node:http';
import { meetFault, type FaultyAnswer } from '../../peers/meet-fault.ts';
import type { PeerFaults } from '../../peers/peer-faults.ts';
import { serverContext } from '../../request/server-context.ts';
import { writeError } from '../../responses/write-status.ts';
import type { DelegationTarget } from '../delegation-target.ts';
import { unreachableStatus } from './delegation-error.ts';

/** The next server, whose requests meet the faults that are set for it; upgrades and documents meet none. */
export function faultyDelegate(target: DelegationTarget, faults: PeerFaults): DelegationTarget {
  const meet = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const context = serverContext(request);
    let answer: FaultyAnswer | undefined;
    try {
      answer = await meetFault(faults, { peer: 'delegate', name: target.name, verb: 'call' }, context.signal);
    } catch {
      context.delegate = target.name;
      if (!context.ended && !response.headersSent)
        writeError(request, response, unreachableStatus(target.name, 'connection refused'));
      return;
    }
    if (context.ended) return;
    if (answer === undefined) target.handle(request, response);
    else {
      context.delegate = target.name;
      response.setHeader('Content-Type', answer.contentType);
      response.writeHead(answer.status);
      response.end(answer.body);
    }
  };
  return {
    name: target.name,
    handle: (request, response) => {
      if (faults.has('delegate')) void meet(request, response);
      else target.handle(request, response);
    },
    handleUpgrade: target.handleUpgrade.bind(target),
    healthCheck: target.healthCheck.bind(target),
    ...(target.health === undefined ? {} : { health: target.health.bind(target) }),
    ...(target.listedPaths === undefined ? {} : { listedPaths: target.listedPaths.bind(target) }),
    ...(target.registerMetrics === undefined ? {} : { registerMetrics: target.registerMetrics.bind(target) }),
    ...(target.metrics === undefined ? {} : { metrics: target.metrics.bind(target) }),
    ...(target.objectStats === undefined ? {} : { objectStats: target.objectStats.bind(target) }),
    ...(target.followDiscovery === undefined ? {} : { followDiscovery: target.followDiscovery.bind(target) }),
    ...(target.openAPI === undefined ? {} : { openAPI: target.openAPI }),
    ...(target.describe === undefined ? {} : { describe: target.describe.bind(target) }),
    close: target.close.bind(target),
  };
}
