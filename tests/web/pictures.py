"""Pictures of the page: taken, scaled and compared by the browser itself."""
import base64

# Draws a picture of a width in pixels, and returns its context.
SCALED = """
    const scaled = async (data, width) => {
        const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [width || image.width, Math.round(image.height * (width || image.width) / image.width)];
        const context = canvas.getContext('2d', {willReadFrequently: true});
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return context;
    };"""
SMALLER = SCALED + """
    return scaled(...arguments).then(context => context.canvas.toDataURL('image/png').split(',')[1]);"""
# The share of pixels that differ by more than so much of 255 in a colour; 1 for pictures of other sizes.
DIFFERENCE = SCALED + """
    const [one, other, width, most] = arguments;
    return Promise.all([scaled(one, width), scaled(other, width)]).then(contexts => {
        const [a, b] = contexts.map(({canvas}, i) => contexts[i].getImageData(0, 0, canvas.width, canvas.height));
        if (a.width !== b.width || a.height !== b.height) return 1;
        let count = 0;
        for (let i = 0; i < a.data.length; i += 4)
            if ([0, 1, 2].some(color => Math.abs(a.data[i + color] - b.data[i + color]) > most)) count++;
        return count / (a.width * a.height);
    });"""


def encoded(picture):
    return base64.b64encode(picture).decode()


def smaller(window, picture, width):
    """Returns a picture as a PNG of that width. The window shows about:blank."""
    return base64.b64decode(window.run(SMALLER, encoded(picture), width))


def difference(window, one, other, width, most):
    return window.run(DIFFERENCE, encoded(one), encoded(other), width, most)


def whole(page):
    """Returns what the window shows, as WebP."""
    shot = page.window.devtools("Page.captureScreenshot", format="webp", quality=85)
    return base64.b64decode(shot["data"])
