// Administration: people, the audit log, dead letters, sources, the service. Each part has an address of its own.

import type { ComponentType } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import { ADMIN } from '../../text/admin.ts';
import { TITLES } from '../../text/titles.ts';
import { AuditPart } from './audit-part.tsx';
import { JobsPart } from './jobs-part.tsx';
import { PeoplePart } from './people-part.tsx';
import { ServicePart } from './service-part.tsx';
import { SourcesPart } from './sources-part.tsx';
import './admin.css';

type Part = keyof typeof ADMIN.parts;

const PARTS: Readonly<Record<Part, ComponentType>> = {
  people: PeoplePart,
  audit: AuditPart,
  jobs: JobsPart,
  sources: SourcesPart,
  service: ServicePart,
};

export function AdminPage() {
  const { part = 'people' } = useParams<{ part?: string }>();
  const shown = (Object.keys(PARTS) as Part[]).find((name) => name === part);
  if (shown === undefined) return <Redirect to="/admin" replace />;
  const Shown = PARTS[shown];
  return (
    <div className="page">
      <h1>{TITLES.admin}</h1>
      <nav className="admin-parts" aria-label={ADMIN.navigation}>
        {(Object.keys(PARTS) as Part[]).map((name) => (
          <Link key={name} href={`/admin/${name}`} aria-current={name === shown ? 'page' : undefined}>
            {ADMIN.parts[name]}
          </Link>
        ))}
      </nav>
      <Shown />
    </div>
  );
}
