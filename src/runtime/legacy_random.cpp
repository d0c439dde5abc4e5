// RandomState's distributions: see the header.
#include "runtime/legacy_random.h"

namespace shapecast::runtime::legacy {

// std::pow, whose errors are below 0.54 ULP (glibc's and musl's, by its authors): where a product
// or a root has an error below 0.45 ULP, it is that number.
double powerOf(double x, double y) {
    auto ulpOf = [](double x) {
        return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & 0x7ff0'0000'0000'0000) * 0x1p-52;
    };
    if (y == 2.0) {
        const double square = x * x;
        if (std::abs(std::fma(x, x, -square)) < 0.45 * ulpOf(square))
            return square;
    } else if (y == 0.5) {
        const double root = std::sqrt(x);
        if (std::abs(std::fma(-root, root, x)) < 0.9 * root * ulpOf(root))
            return root;
    }
    return std::pow(x, y);
}

namespace {

// Whether x <= y - log(1 - w) in rounded arithmetic, for x, y >= 0. Nearly always bounds of the
// logarithm decide it: the midpoint and the trapezoidal rule for the integral of 1 / (1 - t).
bool isAtMost(double x, double y, double w) {
    const double difference = x - y, slack = 1e-14 * (x + y);
    if ((difference + slack) * (2 - w) < 2 * w)
        return true;
    if ((difference - slack) * 2 * (1 - w) > w * (2 - w))
        return false;
    return x <= y - std::log(1 - w);
}

// For shapes below 1: J. Ahrens and U. Dieter's rejection.
double smallGamma(const Source &source, double shape) {
    for (;;) {
        const double u = source.nextDouble();
        const double w = source.nextDouble(); // of an exponential number
        if (u <= 1.0 - shape) {
            const double x = powerOf(u, 1.0 / shape);
            if (isAtMost(x, 0, w))
                return x;
        } else {
            const double y = -std::log((1 - u) / shape);
            const double x = powerOf(1.0 - shape + shape * y, 1.0 / shape);
            if (isAtMost(x, y, w))
                return x;
        }
    }
}

// For shapes above 1: G. Marsaglia and W. Tsang's method.
double largeGamma(const Source &source, double shape) {
    const double b = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9 * b);
    for (;;) {
        double x, v;
        do {
            x = standardNormal(source);
            v = 1.0 + c * x;
        } while (v <= 0.0);
        v = v * v * v;
        const double u = source.nextDouble();
        if (u < 1.0 - 0.0331 * (x * x) * (x * x) ||
            std::log(u) < 0.5 * x * x + b * (1.0 - v + std::log(v)))
            return b * v;
    }
}

// For a and b up to 1: M. Joehnk's method.
double smallBeta(const Source &source, double a, double b) {
    for (;;) {
        const double u = source.nextDouble();
        const double v = source.nextDouble();
        const double x = powerOf(u, 1.0 / a);
        const double y = powerOf(v, 1.0 / b);
        if (x + y > 1.0)
            continue;
        if (x + y > 0)
            return x / (x + y);
        double logX = std::log(u) / a, logY = std::log(v) / b;
        const double larger = logX > logY ? logX : logY;
        logX -= larger;
        logY -= larger;
        return std::exp(logX - std::log(std::exp(logX) + std::exp(logY)));
    }
}

} // namespace

double lognormal(const Source &source, double mean, double sigma) {
    return std::exp(normal(source, mean, sigma));
}

double standardGamma(const Source &source, double shape) {
    if (shape == 1.0)
        return standardExponential(source);
    if (shape == 0.0)
        return 0.0;
    return shape < 1.0 ? smallGamma(source, shape) : largeGamma(source, shape);
}

double gamma(const Source &source, double shape, double scale) {
    return scale * standardGamma(source, shape);
}

double beta(const Source &source, double a, double b) {
    if (a <= 1.0 && b <= 1.0)
        return smallBeta(source, a, b);
    const double first = standardGamma(source, a);
    const double second = standardGamma(source, b);
    return first / (first + second);
}

double chisquare(const Source &source, double df) { return 2.0 * standardGamma(source, df / 2.0); }

double standardT(const Source &source, double df) {
    const double number = standardNormal(source);
    const double square = standardGamma(source, df / 2);
    return std::sqrt(df / 2) * number / std::sqrt(square);
}

double pareto(const Source &source, double a) {
    return std::exp(standardExponential(source) / a) - 1;
}

double weibull(const Source &source, double a) {
    return a == 0.0 ? 0.0 : powerOf(standardExponential(source), 1.0 / a);
}

double power(const Source &source, double a) {
    return powerOf(1 - std::exp(-standardExponential(source)), 1.0 / a);
}

double rayleigh(const Source &source, double scale) {
    return scale * std::sqrt(-2.0 * std::log1p(-source.nextDouble()));
}

double wald(const Source &source, double mean, double scale) {
    const double half = mean / (2 * scale);
    double y = standardNormal(source);
    y = mean * y * y;
    const double x = mean + half * (y - std::sqrt(4 * scale * y + y * y));
    return source.nextDouble() <= mean / (mean + x) ? x : mean * mean / x;
}

} // namespace shapecast::runtime::legacy
