// The messages and services of the contract, by name. Everything outside this layer takes them from here, so that only
// one layer knows the generated code.

export {
  ApiKeySchema,
  ApiKeyService,
  type CreateApiKeyRequest,
  CreateApiKeyResponseSchema,
  ListApiKeysResponseSchema,
  RotateApiKeyResponseSchema,
} from '../gen/threatintel/v1/api_key_service_pb.ts';
export {
  IndicatorService,
  type SearchIndicatorsRequest,
  SearchIndicatorsRequestSchema,
} from '../gen/threatintel/v1/indicator_service_pb.ts';
export {
  IngestSensorEventsResponseSchema,
  SensorEventSchema,
  SensorEventService,
} from '../gen/threatintel/v1/sensor_event_service_pb.ts';
export {
  type GetUsageRequest,
  GetUsageResponseSchema,
  UsageService,
} from '../gen/threatintel/v1/usage_service_pb.ts';
