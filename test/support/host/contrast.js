// Run inside a page. Gives every text, and every edge of a control, that stands out too little from what is behind it:
// WCAG 2.2, 1.4.3 (4.5 to 1, or 3 to 1 for large text) and 1.4.11 (3 to 1).
(() => {
	const light = (value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	};
	const luminance = ([red, green, blue]) =>
		0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
	const ratio = (one, other) => {
		const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
		return (bright + 0.05) / (dark + 0.05);
	};
	const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
	const isClear = ([, , , opacity]) => opacity === 0;
	/** What is painted behind an element's text. */
	const ground = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const colour = parts(getComputedStyle(at).backgroundColor);
			if (!isClear(colour)) return colour;
		}
		throw new Error('Nothing is painted behind the page');
	};
	const found = [];
	const check = (name, front, back, least) => {
		const value = ratio(front, back);
		if (value < least) found.push(`${name}: ${value.toFixed(2)} to 1, not ${least}`);
	};
	const checkText = (name, style, back) => {
		const size = parseFloat(style.fontSize);
		const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
		check(name, parts(style.color), back, isLarge ? 3 : 4.5);
	};

	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let count = 0;
	while (texts.nextNode()) {
		const [text, element] = [texts.currentNode.data.trim(), texts.currentNode.parentElement];
		if (text === '' || !element.checkVisibility()) continue;
		count += 1;
		checkText(`"${text.slice(0, 40)}"`, getComputedStyle(element), ground(element));
	}
	for (const element of document.body.querySelectorAll('*')) {
		if (!element.checkVisibility()) continue;
		const before = getComputedStyle(element, '::before');
		if (/^"\S/.test(before.content)) {
			const own = parts(before.backgroundColor);
			checkText(`the mark ${before.content}`, before, isClear(own) ? ground(element) : own);
		}
		if (element.matches('input')) {
			checkText('the placeholder', getComputedStyle(element, '::placeholder'), ground(element));
		}
		const style = getComputedStyle(element);
		const edge = parts(style.borderTopColor);
		if (element.matches('button, input, dialog') && parseFloat(style.borderTopWidth) > 0 && !isClear(edge)) {
			check(`the edge of ${element.id || element.textContent}`, edge, ground(element.parentElement), 3);
		}
	}
	if (count === 0) throw new Error('The page shows no text');
	return found;
})();
