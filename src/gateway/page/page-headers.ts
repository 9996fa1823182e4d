/** What a browser may do with the page: run our own modules, talk to us, and nothing else. */
const POLICY: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data: blob:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "worker-src": "'self'",
  "frame-ancestors": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
  // text becomes markup only through the templates, the sanitiser, and the one policy that names our service worker
  "require-trusted-types-for": "'script'",
  "trusted-types": "lit-html dompurify holdpoint",
};

const REFUSED_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
];

/** For this page itself, and for no frame in it. */
const PASSKEY_FEATURES = ["publickey-credentials-create", "publickey-credentials-get"];

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": Object.entries(POLICY)
    .map(([directive, value]) => `${directive} ${value}`)
    .join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": [
    ...REFUSED_FEATURES.map((name) => `${name}=()`),
    ...PASSKEY_FEATURES.map((name) => `${name}=(self)`),
  ].join(", "),
};
