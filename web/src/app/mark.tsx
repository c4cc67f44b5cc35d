// The mark of the product.

import './mark.css';

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" className="mark">
      <rect width="32" height="32" rx="7" />
      <circle cx="16" cy="16" r="8.5" />
      <path d="M16 3.5v6M16 22.5v6M3.5 16h6M22.5 16h6" />
      <circle cx="16" cy="16" r="1.6" />
    </svg>
  );
}
