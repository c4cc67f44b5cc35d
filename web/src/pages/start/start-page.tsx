// First steps: from an empty service to one's own first indicator, without leaving the page.

import { useState } from 'react';
import { Link } from 'wouter';
import type { CreateApiKeyResponse, ThreatIndicator } from '../../api/contract.ts';
import { useMay } from '../../app/session.tsx';
import { ClientSetup } from '../../parts/client-setup.tsx';
import { Code } from '../../parts/code.tsx';
import { START } from '../../text/start.ts';
import { TITLES } from '../../text/titles.ts';
import { FirstIndicator } from './first-indicator.tsx';
import { SensorKey } from './sensor-key.tsx';
import { Step } from './step.tsx';
import './start.css';

export function StartPage() {
  const mayMakeKeys = useMay('keys:manage');
  const [made, setMade] = useState<CreateApiKeyResponse>();
  const [arrived, setArrived] = useState<ThreatIndicator>();
  return (
    <div className="page start">
      <h1>{TITLES.start}</h1>
      <p className="soft">{START.intro}</p>
      <ol className="start-steps">
        <Step title={START.key.title} done={made !== undefined}>
          <p>{mayMakeKeys ? START.key.says : START.key.cannot}</p>
          {mayMakeKeys && made === undefined && <SensorKey onMade={setMade} />}
          {made && (
            <>
              <Code label={START.key.label} text={made.plaintext} />
              <p>{START.key.shown}</p>
            </>
          )}
        </Step>
        <Step title={START.send.title} done={arrived !== undefined}>
          <p>{START.send.says}</p>
          <ClientSetup kind="sensor" {...(made === undefined ? {} : { plaintext: made.plaintext })} />
        </Step>
        <Step title={START.see.title} done={arrived !== undefined}>
          <FirstIndicator keyId={made?.apiKey?.id} arrived={arrived} onArrived={setArrived} />
        </Step>
        <Step title={START.read.title} done={false}>
          <p>{START.read.says}</p>
          <p className="start-links">
            <Link href="/keys" className="button">
              {START.read.keys}
            </Link>
            <Link href="/feed" className="button">
              {START.read.feed}
            </Link>
          </p>
        </Step>
      </ol>
    </div>
  );
}
