import js from '@eslint/js';

const browser = ['AbortController', 'AudioContext', 'Blob', 'CSSStyleSheet', 'Element', 'FormData', 'GainNode', 'HTMLButtonElement', 'HTMLElement', 'HTMLInputElement', 'MutationObserver',
    'Node', 'NodeFilter', 'Notification', 'OscillatorNode', 'TextEncoder', 'URL', 'WebSocket', 'addEventListener', 'clearInterval', 'clearTimeout', 'crypto', 'document', 'fetch', 'focus', 'history', 'isSecureContext', 'localStorage', 'location', 'matchMedia', 'navigator',
    'performance', 'removeEventListener', 'requestAnimationFrame', 'scrollTo', 'setInterval', 'setTimeout', 'window'];

export default [
    js.configs.recommended,
    {
        languageOptions: { globals: Object.fromEntries(browser.map(name => [name, 'readonly'])) },
        linterOptions: { reportUnusedDisableDirectives: 'error' },
        rules: {
            'complexity': ['error', 14],
            'eqeqeq': 'error',
            'max-depth': ['error', 3],
            'max-lines': ['error', 400],
            'max-lines-per-function': ['error', 60],
            'no-eval': 'error',
            'no-implied-eval': 'error',
            'no-var': 'error',
            'no-shadow': 'error',
            'no-restricted-properties': ['error', ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map(property => ({ property, message: 'Elements are made by dom.js.' }))],
            'prefer-const': 'error',
        },
    },
];
