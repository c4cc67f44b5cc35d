// Errors of the service in a few words. The message of the service says the rest.

/** @param status HTTP status; 0 for no answer; undefined for a fault of the application itself. */
export function errorTitle(status: number | undefined, reason = ''): string {
  if (reason === 'SEARCH_TOO_SLOW') return 'This search takes too long';
  switch (status) {
    case undefined:
      return 'The application made a mistake';
    case 0:
      return 'The service does not answer';
    case 400:
      return 'The service does not accept this';
    case 401:
      return 'You are not signed in';
    case 403:
      return 'You may not do this';
    case 404:
      return 'Nothing is here';
    case 409:
      return 'Somebody else was faster';
    case 413:
      return 'This is too much at once';
    case 429:
      return 'Too many requests';
    case 503:
      return 'The service has too much to do';
    default:
      return 'Something went wrong in the service';
  }
}
