// How each program is told to use the service: the facts of docs/integrations.md with the address and the key filled in.

export const CLIENT_SETUP = {
  choose: 'Program',
  placeholder: 'YOUR_KEY',
  fields: 'Enter these values',
  more: 'More on this program is in docs/integrations.md.',
};

export interface Setup {
  readonly name: string;
  /** For which kind of key. */
  readonly kind: 'client' | 'sensor';
  /** What to do, in one or two sentences. */
  readonly says: string;
  /** A command or a file. */
  readonly code?: string;
  /** Values of a form. */
  readonly fields?: readonly (readonly [field: string, value: string])[];
}

const COLLECTION = 'service-global-feed';

/** @param origin such as `https://tis.example.org`. */
export function setupsFor(origin: string, key: string): readonly Setup[] {
  const taxii = `${origin}/taxii2/`;
  const objects = `${taxii}collections/${COLLECTION}/objects/`;
  return [
    {
      name: 'curl: search',
      kind: 'client',
      says: 'Needs the right indicators:read.',
      code: `curl -s ${origin}/v1/indicators/search \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"filter": {"minConfidence": 70}, "pageSize": 10}'`,
    },
    {
      name: 'curl: feed',
      kind: 'client',
      says: 'The first page of the feed. While an answer says "more", ask again with its "next".',
      code: `curl -s '${objects}?limit=1000' -u 'api:${key}' \\
  -H 'Accept: application/taxii+json;version=2.1'`,
    },
    {
      name: 'Microsoft Sentinel',
      kind: 'client',
      says: 'Data connectors, Threat Intelligence - TAXII, Open connector page. Sentinel needs an https address that it can reach.',
      fields: [
        ['Friendly name', 'Threat Indicator Service'],
        ['API root URL', taxii],
        ['Collection ID', COLLECTION],
        ['Username', 'api'],
        ['Password', key],
        ['Polling frequency', 'Once an hour'],
      ],
    },
    {
      name: 'OpenCTI',
      kind: 'client',
      says: 'Data, Ingestion, TAXII feeds. OpenCTI fetches one page a run, so leave the period short until it has caught up.',
      fields: [
        ['TAXII server URL', taxii.slice(0, -1)],
        ['TAXII version', 'TAXII 2.1'],
        ['TAXII Collection', COLLECTION],
        ['Authentication type', 'Bearer token'],
        ['Token', key],
        ['Copy confidence level to OpenCTI scores', 'on'],
      ],
    },
    {
      name: 'MISP',
      kind: 'client',
      says: 'MISP pushes events to the service (right feed:write): Sync Actions, List TAXII servers. To read the feed, fetch it as a bundle and import the file.',
      fields: [
        ['Discovery URL', taxii],
        ['Authentication Type', 'Bearer'],
        ['Bearer Token', key],
        ['Collection', 'd1f3a8c2-5b07-4e96-a4cd-2f8e60b917d3'],
      ],
    },
    {
      name: 'Splunk',
      kind: 'client',
      says: 'Enterprise Security 8.2 or later: add a credential (Configure, General Settings, Credentials), then a threat intelligence source of the type TAXII 2.',
      fields: [
        ['URL', taxii],
        ['Collection', COLLECTION],
        ['User name', 'api'],
        ['Password', key],
        ['Interval', 'one hour or more'],
      ],
    },
    {
      name: 'Elastic',
      kind: 'client',
      says: 'Integrations, Custom Threat Intelligence, version 0.6.0 or newer.',
      fields: [
        ['URL API endpoint', objects],
        ['Enable TAXII 2.1', 'on'],
        ['API Key (advanced)', key],
        ['Interval', '5m'],
        ['Initial Interval', '720h'],
        ['Limit (advanced)', '1000'],
      ],
    },
    {
      name: 'curl: one event',
      kind: 'sensor',
      says: 'The address of the example is one that the internet reserves for examples.',
      code: `curl -s ${origin}/v1/sensorEvents:ingest \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"events": [{"eventId": "'$(date +%s)'", "sensorId": "first-sensor",
       "sensorType": "SENSOR_TYPE_ICS", "protocol": "PROTOCOL_MODBUS", "value": "198.51.100.23",
       "observedAt": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'", "evidence": {"modbus.function_code": "5"}}]}'`,
    },
    {
      name: 'Conpot, Cowrie, Suricata, Zeek',
      kind: 'sensor',
      says: 'On the machine of the service, a log is read as it is. The format is found from its content.',
      code: `npx tis ingest --source my-honeypot /var/log/conpot/conpot.json
npx tis ingest --source my-honeypot /srv/cowrie/var/log/cowrie/cowrie.json`,
    },
  ];
}
