// Control intent: the decoders of all protocols that command machines. Each code they give has its rung of the ladder
// (INTENTS of indicator.ts: discover < read < write < control < program) in behaviour-rules.ts.

import { BACNET_EVIDENCE } from './bacnet.ts';
import { DNP3_EVIDENCE } from './dnp3.ts';
import { ENIP_EVIDENCE } from './enip.ts';
import type { EvidenceDecoders } from './evidence-decoder.ts';
import { MODBUS_EVIDENCE } from './modbus.ts';
import { OPC_UA_EVIDENCE } from './opc-ua.ts';
import { S7_EVIDENCE } from './s7.ts';
import { TELECONTROL_EVIDENCE } from './telecontrol.ts';

export const CONTROL_EVIDENCE: EvidenceDecoders = {
  ...MODBUS_EVIDENCE,
  ...DNP3_EVIDENCE,
  ...S7_EVIDENCE,
  ...BACNET_EVIDENCE,
  ...OPC_UA_EVIDENCE,
  ...ENIP_EVIDENCE,
  ...TELECONTROL_EVIDENCE,
};
